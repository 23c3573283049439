#!/usr/bin/env node
/** The `chaperone` command. Arguments come in, an exit code goes out. */
import { exitCode, tell } from './failure.js';
import { createProgram } from './program.js';

try {
  await createProgram().parseAsync();
} catch (error) {
  tell(error);
  process.exitCode = exitCode(error);
}
