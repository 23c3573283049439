import type * as z from 'zod';
import { WireError, isControlEffect } from '../protocol/index.js';
import type { Acted, Action, AnyAction, ReadingAction } from './action.js';
import { describeIssues, issuesInEnglish, joinIssues, type InputIssue } from '../protocol/input-errors.js';
import type { RunContexts } from './context.js';
import { refuseUnseen } from './restore.js';
import { withConsequence } from './consequence/index.js';
import { withKeyConsequence } from './consequence/keys.js';
import { message } from '../../messages/index.js';
import type { DesktopReader, Element } from '../../native/desktop.js';

export function defineAction<I, O>(action: Action<I, O>): AnyAction {
  const { name, title, description, needs, does, step, intoFocus, input, output } = action;
  const effect = typeof action.effect === 'function' ? 'dangerous' : action.effect;
  const evidence = action.evidence ?? (isControlEffect(effect) ? 'folder' : 'line');
  const offDesktop = action.offDesktop === true;
  const release = action.release === true;
  const deletes = action.deletes === true;
  const published = action.publishedInput === undefined ? {} : { publishedInput: action.publishedInput };
  const facts = {
    name,
    title,
    description,
    effect,
    needs,
    evidence,
    release,
    deletes,
    offDesktop,
    does,
    step,
    intoFocus,
    input,
    output,
  };
  return { ...facts, ...published, bind };

  function bind(raw: unknown) {
    const value = parseInput(input, raw, name);
    const { plan } = action;
    const own = typeof action.effect === 'function' ? action.effect(value) : action.effect;
    return {
      effect: own,
      offDesktop,
      verifiesEffect: action.verifiesEffect === true,
      waits: action.waits?.(value) ?? 0,
      opens: action.opens?.(value) ?? null,
      subject: action.subject(value),
      plan:
        plan === undefined
          ? null
          : async (ctx: Parameters<typeof plan>[0], signal: AbortSignal) => {
              const desktop = withAncestorsOnce(ctx.desktop);
              const planned = await plan({ ...ctx, desktop }, value, signal);
              const weighed = await withConsequence(desktop, own, planned, signal);
              return refuseUnseen(own, await withKeyConsequence({ ...ctx, desktop }, own, weighed, signal));
            },
      run: async (contexts: RunContexts, signal: AbortSignal) => {
        const done = await handle(action, contexts, value, signal);
        const result = output.parse(done.value);
        const kept = action.kept === undefined ? {} : { kept: action.kept(result) };
        return { value: result, text: action.text?.(result) ?? null, verified: done.effect, ...kept };
      },
    };
  }
}

async function handle<I, O>(
  action: Action<I, O>,
  contexts: RunContexts,
  input: I,
  signal: AbortSignal,
): Promise<{ value: O; effect: Acted<O>['effect'] | null }> {
  if (action.act !== undefined) return action.act(contexts.acting(), input, signal);
  const value = onlyReads(action)
    ? await action.run(contexts.reading(), input, signal)
    : await action.run(contexts.acting(), input, signal);
  return { value, effect: null };
}

const onlyReads = <I, O>(action: Action<I, O>): action is ReadingAction<I, O> =>
  typeof action.effect !== 'function' && !isControlEffect(action.effect);

/** Parses with the action's own schema; the error names every field that is wrong and says what it takes. */
export function parseInput<T>(schema: z.ZodType<T>, raw: unknown, name: string): T {
  const given = raw ?? {};
  const malformed = malformedIn(given);
  if (malformed !== null) throw invalid(name, [{ path: malformed, problem: message('input.malformed') }]);
  const parsed = schema.safeParse(given);
  if (parsed.success) return parsed.data;
  throw invalid(name, describeIssues(schema, parsed.error, given));
}

const invalid = (name: string, issues: InputIssue[]): WireError =>
  new WireError('DESKTOP_INVALID_REQUEST', message('error.at', { where: name, what: joinIssues(issues) }), {
    reason: 'invalid_params',
    issues: issuesInEnglish(issues),
  });

/** Where a text stands that holds half of a character, which nothing can be told; null where all are whole. */
function malformedIn(value: unknown, path = ''): string | null {
  if (typeof value === 'string') return /\p{Surrogate}/u.test(value) ? path : null;
  if (typeof value !== 'object' || value === null) return null;
  for (const [key, part] of Object.entries(value)) {
    const found = malformedIn(part, path === '' ? key : `${path}.${key}`);
    if (found !== null) return found;
  }
  return null;
}

/** The desktop for one plan: the ancestors of an element are read once, so that its titles, its window and its consequence are judged by the same ones. */
function withAncestorsOnce<R extends DesktopReader>(desktop: R): R {
  const reading = new Map<string, Promise<Element[]>>();
  return {
    ...desktop,
    ancestors(id, signal) {
      const known = reading.get(id) ?? desktop.ancestors(id, signal);
      reading.set(id, known);
      return known;
    },
  };
}
