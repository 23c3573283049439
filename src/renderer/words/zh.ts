import { en } from './en.js';
import type { Words } from './words.js';

export const zh: Words = en;
