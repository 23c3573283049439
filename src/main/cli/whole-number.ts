import { message } from '../../messages/index.js';
import { EXIT, Failure } from './failure.js';

/** A whole number within bounds from the command line or the environment. */
export function parseWholeNumber(text: string, name: string, min: number, max: number): number {
  const value = Number(text);
  if (/^\d+$/.test(text) && value >= min && value <= max) return value;
  throw new Failure(message('cli.bad_number', { name, min, max, text }), EXIT.usage);
}
