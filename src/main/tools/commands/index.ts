import * as z from 'zod';
import { defineAction } from '../../pipeline/define.js';
import type { ReadContext } from '../../pipeline/context.js';
import { subjectWithoutPlace, title, WireError } from '../../protocol/index.js';
import { toolGroup, type Tool, type ToolDeps } from '../tool.js';
import { runOrRefuse, scriptSchema } from './run.js';
import { executeCommand } from './execute.js';
import { appleTools, complaints, compile, type Language, type ScriptDeps } from './apple-scripts.js';
import { message } from '../../../messages/index.js';
import type { AnyAction } from '../../pipeline/action.js';

// Syntax checks of scripts, without running them.

const CHECK_MS = 10_000;
const MAX_OUTPUT_BYTES = 16 * 1024;
/** Compiling these loads applications or libraries, or works out a first value. */
const REACHES_OUT = /\b(app|apps|application|applications|use|using|property|prop|script)\b|«/i;

function validateScript(deps: ScriptDeps): AnyAction {
  const { shell, commandEnv } = deps;
  return defineAction({
    name: 'validate_script',
    title: 'Check a script',
    description: 'Checks whether a script is well formed, without running any of it.',
    effect: 'bookkeeping',
    needs: [],
    offDesktop: true,
    input: z
      .object({
        type: z.enum(['shell', 'applescript', 'javascript']),
        script: scriptSchema,
        compile_only: z.literal(true).default(true).meta({ unpublished: true }),
      })
      .strict(),
    output: z.object({ valid: z.boolean(), errors: z.array(z.string()) }),
    subject: ({ type }) => subjectWithoutPlace(title('title.check_script', { language: type })),
    async run(ctx, { type, script: text }, signal) {
      if (type !== 'shell') return checkApple(deps, ctx, type, text, signal);
      const { PATH = '/usr/bin:/bin' } = commandEnv.plain;
      // -n checks without running. ENV and similar variables are removed, so that no startup file is read.
      const command = {
        executionId: ctx.executionId,
        argv: ['/bin/sh', '-n'] as const,
        cwd: '/',
        env: { PATH, LC_ALL: 'C' },
        stdin: text,
        timeoutMs: CHECK_MS,
        maxStreamBytes: MAX_OUTPUT_BYTES,
        keep: null,
      };
      const ran = await runOrRefuse(shell, command, '/bin/sh', signal);
      if (ran.timedOut) throw new WireError('DESKTOP_TIMEOUT', message('error.script_not_checked'));
      return verdict(ran.exitCode === 0, complaints(ran, MAX_OUTPUT_BYTES));
    },
    text: ({ valid, errors }) =>
      valid ? 'The script is well formed.' : ['It is not well formed:', ...errors].join('\n'),
  });
}

async function checkApple(deps: ScriptDeps, ctx: ReadContext, language: Language, text: string, signal: AbortSignal) {
  if (deps.scripting !== null && language === 'applescript' && REACHES_OUT.test(text))
    throw new WireError('DESKTOP_INVALID_REQUEST', message('error.script_needs_allow'), {
      reason: 'reaches_out',
      next: 'Use execute_apple_script with compile_only: true; the person is asked.',
    });
  const ran = await compile(deps, ctx, language, text, CHECK_MS / 1000, signal);
  if (ran.timedOut) throw new WireError('DESKTOP_TIMEOUT', message('error.script_not_checked'));
  return verdict(ran.exitCode === 0, complaints(ran, MAX_OUTPUT_BYTES));
}

function verdict(valid: boolean, errors: string[]) {
  return { valid, errors: valid ? [] : errors.length > 0 ? errors : ['It is not well formed.'] };
}

export const scriptingTools = (deps: ToolDeps): Tool[] =>
  toolGroup('scripting', { more: [executeCommand(deps), ...appleTools(deps), validateScript(deps)] });
