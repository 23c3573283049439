/** Every member of the interface with its check, in the order in which they run. Its type makes it total. */
import type { DesktopBackend } from '../desktop.js';
import { ENDING } from './ending.js';
import { INPUT } from './input.js';
import { READING } from './reading.js';
import type { Check } from './types.js';
import { WINDOWS } from './windows.js';

export const CHECKS: { readonly [Name in keyof DesktopBackend]-?: Check } = {
  ...READING,
  ...INPUT,
  ...WINDOWS,
  ...ENDING,
};
