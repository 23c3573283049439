/** Script tools: syntax checks without running, and AppleScript, which is refused where it does not exist. */
import * as z from 'zod';
import type { AnyAction } from '../../pipeline/action.js';
import { defineAction } from '../../pipeline/define.js';
import { WireError, subjectWithoutPlace, title } from '../../protocol/index.js';
import { isWellFormed } from '../parameters.js';
import type { ToolDeps } from '../tool.js';
import { decodeOutput, visible } from './output.js';
import { message } from '../../../messages/index.js';
import { ruleError } from '../../pipeline/input-errors.js';

const MAX_SCRIPT_LENGTH = 200_000;
const CHECK_MS = 10_000;
const MAX_OUTPUT_BYTES = 16 * 1024;

const script = z
  .string()
  .min(1)
  .max(MAX_SCRIPT_LENGTH)
  .refine((one) => !one.includes('\0'), ruleError('input.nul'))
  .refine(isWellFormed, ruleError('input.half_character'));
const LANGUAGES = { applescript: 'AppleScript', javascript: 'JavaScript for Automation' } as const;

export function appleTools(): AnyAction[] {
  const tool = (name: string, language: keyof typeof LANGUAGES) =>
    defineAction({
      name,
      title: `Run ${LANGUAGES[language]}`,
      description: `Runs ${LANGUAGES[language]} on macOS; elsewhere there is none, and the answer is DESKTOP_UNSUPPORTED.`,
      effect: 'dangerous',
      needs: [],
      offDesktop: true,
      input: z
        .object({
          script,
          timeout: z.number().positive().max(3600).default(30),
          compile_only: z.boolean().default(false),
        })
        .strict(),
      output: z.object({ result: z.string() }),
      subject: () => subjectWithoutPlace(title('title.run_script', { language: LANGUAGES[language] })),
      // Thrown before the person is asked for something that cannot be done.
      plan: async () => Promise.reject(noSuchLanguage(language)),
      run: async () => Promise.reject(noSuchLanguage(language)),
    });
  return [tool('execute_apple_script', 'applescript'), tool('execute_javascript', 'javascript')];
}

export function validateScript({ shell, commandEnv }: Pick<ToolDeps, 'shell' | 'commandEnv'>): AnyAction {
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
        script,
        compile_only: z.literal(true).default(true),
      })
      .strict(),
    output: z.object({ valid: z.boolean(), errors: z.array(z.string()) }),
    subject: ({ type }) => subjectWithoutPlace(title('title.check_script', { language: type })),
    async run(ctx, { type, script: text }, signal) {
      if (type !== 'shell') throw noSuchLanguage(type);
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
      const ran = await shell.run(command, signal);
      if (ran.timedOut) throw new WireError('DESKTOP_TIMEOUT', message('error.script_not_checked'));
      const output = visible(decodeOutput(ran.stderr, MAX_OUTPUT_BYTES).text);
      const errors = output.split('\n').filter((line) => line.trim() !== '');
      const valid = ran.exitCode === 0;
      return { valid, errors: valid ? [] : errors.length > 0 ? errors : ['It is not well formed.'] };
    },
    text: ({ valid, errors }) =>
      valid ? 'The script is well formed.' : ['It is not well formed:', ...errors].join('\n'),
  });
}

function noSuchLanguage(language: keyof typeof LANGUAGES): WireError {
  return new WireError('DESKTOP_UNSUPPORTED', message('error.no_such_language', { language: LANGUAGES[language] }), {
    reason: 'no_such_language',
    next: 'Use execute_shell_command, or the elements of the application (find_elements, perform_element_action).',
  });
}
