import { EXIT, Failure } from './failure.js';

/** A whole number within bounds from the command line or the environment. */
export function wholeNumber(text: string, name: string, least: number, most: number): number {
  const value = Number(text);
  if (/^\d+$/.test(text) && value >= least && value <= most) return value;
  throw new Failure(`${name} must be a whole number from ${least} to ${most}, not "${text}".`, EXIT.usage);
}
