/** Prompts as MCP has them; GABP has none of its own. Called by the GABP server. */
import * as z from 'zod';
import type { GabpMethod, MethodDependencies } from './method.js';
import { parseParams } from './standard-methods.js';

const promptSchema = z.object({ name: z.string(), arguments: z.record(z.string(), z.string()).nullish() });

export const promptMethods = ({ calls }: Pick<MethodDependencies, 'calls'>): Map<string, GabpMethod> =>
  new Map<string, GabpMethod>([
    ['prompts/list', () => ({ prompts: calls.prompts() })],
    [
      'prompts/get',
      (params) => {
        const { name, arguments: given } = parseParams(promptSchema, params);
        return calls.prompt(name, given ?? {});
      },
    ],
  ]);
