/** The applications a simulated desktop starts with, bottom window first. Each call of one makes a fresh one. */
import type { AppSpec } from '../model.js';
import { calculator } from './calculator.js';
import { mail } from './mail.js';
import { notes } from './notes.js';
import { terminal } from './terminal.js';

export function defaultApps(): (() => AppSpec)[] {
  return [terminal, calculator, notes, mail];
}
