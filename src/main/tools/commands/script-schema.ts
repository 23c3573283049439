import * as z from 'zod';
import { ruleError } from '../../protocol/input-errors.js';
import { isWellFormed } from '../parameters.js';

const MAX_SCRIPT_LENGTH = 200_000;

export const scriptSchema = z
  .string()
  .min(1)
  .max(MAX_SCRIPT_LENGTH)
  .refine((one) => !one.includes('\0'), ruleError('input.nul'))
  .refine(isWellFormed, ruleError('input.half_character'));
