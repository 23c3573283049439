import { homedir } from 'node:os';
import { sep } from 'node:path';
import * as z from 'zod';
import {
  agentSchema,
  effectSchema,
  taskEffectSchema,
  type Agent,
  type Effect,
  type TaskEffect,
  isControlEffect,
} from '../protocol/index.js';
import { ASK_REASONS, type Plan, type PlannedCommand, type StepPlan } from './plan.js';
import type { ApprovalRequest, Caller } from './request.js';
import type { App, Window } from '../../native/desktop.js';
import { stepsInside } from './files.js';
import { BROWSERS, isListed } from './app-kinds.js';

// The origin of the document that a request reaches. A grant for a site covers that origin only, whatever else its window shows.

/** The web origin of the target's document; null where there is none, or more than one is possible. */
export function grantOrigin(plan: Plan | null, effect: Effect): string | null {
  if (plan === null) return null;
  if (plan.site !== undefined) return webOrigin(plan.site);
  const acting = plan.steps?.filter((step) => step.plan !== null || step.late !== null) ?? [];
  if (acting.length === 0) return webOrigin(documentOf(plan, effect));
  const origins = acting.map((step) =>
    step.plan === null ? webOrigin(step.late?.origin ?? null) : grantOrigin(step.plan, step.effect),
  );
  return new Set(origins).size === 1 ? (origins[0] ?? null) : null;
}

function documentOf({ window, target }: Plan, effect: Effect): string | null {
  if (window === null) return null;
  const { documents } = window;
  const only = onlyDocument(window);
  if (!('element' in target)) {
    // Keys go to the focused element, which may be the browser's own address field.
    return target.kind === 'window' && effect === 'input' && documents !== undefined ? null : only;
  }
  if (target.element?.document !== undefined) return target.element.document.url;
  // Elements of a browser's window outside its documents belong to the browser itself.
  return documents === undefined ? only : null;
}

function onlyDocument({ documentUrl, documents }: Window): string | null {
  if (documents === undefined) return documentUrl;
  if (!documents.complete) return null;
  return new Set(documents.urls.map(webOrigin)).size === 1 ? documentUrl : null;
}

function webOrigin(documentUrl: string | null): string | null {
  if (documentUrl === null || !URL.canParse(documentUrl)) return null;
  const { protocol, origin } = new URL(documentUrl);
  return protocol === 'http:' || protocol === 'https:' ? origin : null;
}

/** The facts of a request that decide whether a grant or a remembered answer covers it. */
export const requestFactsSchema = z.object({
  agent: agentSchema,
  effect: effectSchema,
  /** The window's application; null where the request concerns no single application. */
  app: z
    .object({
      id: z.string(),
      name: z.string(),
      program: z.string().optional(),
      otherIds: z.array(z.string()).optional(),
      process: z.object({ pid: z.number(), startTime: z.string() }).optional(),
    })
    .nullable(),
  /** Origin of the web document that the request reaches. */
  origin: z.string().nullable(),
  browser: z.boolean(),
  /** Key of the answer remembered under ask_once_per_session. */
  memory: z.string(),
  alwaysAsk: z.boolean(),
  asksFor: z.enum(ASK_REASONS).optional(),
  /** Where the agent works: a grant that is given now covers files there. Left out where that is no folder of its own. */
  folder: z.string().optional(),
  /** What a dialog is given; see {@link Plan}. */
  file: z.string().optional(),
  /** Not an act of an agent: only a person's answer counts, and policy and pauses do not apply. */
  personOnly: z.literal(true).optional(),
  /** A command of plain words, as the host judged it. */
  command: z
    .object({
      words: z.array(z.string()),
      folder: z.string(),
      program: z.string(),
      identity: z.string(),
      reads: z.boolean(),
      sandbox: z.boolean(),
      rule: z.object({ prefix: z.array(z.string()).nullable() }).nullable(),
    })
    .optional(),
  /** For a sequence: the effects and applications of its steps, and how many of them act. */
  steps: z.object({ effects: z.array(effectSchema), apps: z.array(z.string()), acts: z.number().int() }).optional(),
  /** What it does, in the words of a task. Absent: in a file older than tasks. */
  does: z.array(taskEffectSchema).optional(),
  /** The installed application that it opens. */
  opens: z.object({ id: z.string(), name: z.string(), otherIds: z.array(z.string()) }).optional(),
});
export type RequestFacts = z.infer<typeof requestFactsSchema>;

type FactsOf = Pick<ApprovalRequest, 'action' | 'plan' | 'alwaysAsk' | 'asksFor'> &
  Partial<Pick<ApprovalRequest, 'workspace'>> & { caller: Pick<Caller, 'agent'> };

/** Of a request to see what this plan shows, and nothing more. */
export const disclosureFacts = (caller: Caller, plan: Plan): RequestFacts =>
  requestFacts({ caller, plan, action: { name: '', title: '', effect: 'disclose' }, alwaysAsk: false });

export function requestFacts(request: FactsOf): RequestFacts {
  const { effect, name } = request.action;
  const window = request.plan?.window ?? null;
  const called = window === null ? request.plan?.application : window.app;
  const app = called === undefined ? null : appOf(called);
  const origin = grantOrigin(request.plan, effect);
  const { file, asksFor = request.asksFor } = request.plan ?? {};
  const folder = folderOf(request.caller.agent, request.workspace);
  return {
    agent: request.caller.agent,
    effect,
    app,
    origin,
    browser:
      origin !== null || window?.documents !== undefined || (app !== null && isListed(BROWSERS, ...namesOf(app))),
    memory: memoryOf(request, app?.id ?? null, effect === 'disclose', name),
    alwaysAsk: request.alwaysAsk || !isKnownProgram(request.caller.agent),
    ...(request.plan?.command === undefined ? {} : { command: commandFacts(request.plan.command) }),
    ...(asksFor === undefined ? {} : { asksFor }),
    ...(folder === undefined ? {} : { folder }),
    ...(file === undefined ? {} : { file }),
    ...(request.plan?.steps === undefined ? {} : { steps: partsOf(request.plan.steps) }),
    does: doesOf(request.plan, effect),
    ...opensOf(request.plan),
  };
}

const commandFacts = ({ words, rule, ...facts }: PlannedCommand): NonNullable<RequestFacts['command']> => ({
  ...facts,
  words: [...words],
  rule: rule === null ? null : { prefix: rule.prefix === null ? null : [...rule.prefix] },
});

/** The folder that the kernel and the call agree on; none where it holds more than a piece of work: the home folder, what is above it, or anything hidden. */
export function folderOf({ cwd }: Pick<Agent, 'cwd'>, workspace: string | undefined): string | undefined {
  if (cwd === null || cwd !== workspace || stepsInside(cwd, homedir()) !== null) return undefined;
  return cwd.split(sep).some(isHidden) ? undefined : cwd;
}

const isHidden = (name: string): boolean => name.startsWith('.');

/** Whether a grant that was given for this folder covers the file: what is hidden there is not covered. */
export function isInFolder(folder: string | undefined, file: string): boolean {
  const steps = folder === undefined ? null : stepsInside(folder, file);
  return steps !== null && steps.length > 0 && !steps.some(isHidden);
}

function appOf({
  id,
  name,
  program,
  otherIds,
  pid,
  startTime,
}: Pick<App, 'id' | 'name' | 'program' | 'otherIds'> & Partial<App>): NonNullable<RequestFacts['app']> {
  return {
    id,
    name,
    ...(program === undefined ? {} : { program }),
    ...(otherIds === undefined ? {} : { otherIds: [...otherIds] }),
    ...(pid === undefined || startTime === undefined ? {} : { process: { pid, startTime } }),
  };
}

/** Of a sequence, all that its steps do; what is not known does everything. */
function doesOf(plan: Plan | null, effect: Effect): TaskEffect[] {
  if (plan?.steps !== undefined) return [...new Set(plan.steps.flatMap((step) => doesOf(step.plan, step.effect)))];
  if (effect === 'disclose') return ['see'];
  if (!isControlEffect(effect)) return [];
  const kind = plan?.does?.kind;
  if (kind === 'keys' || kind === 'text' || kind === 'write') return ['type'];
  return plan === null || plan.text !== null ? ['click', 'type'] : ['click'];
}

function opensOf(plan: Plan | null): Pick<RequestFacts, 'opens'> {
  if (plan?.opens === undefined) return {};
  const { id, name, otherIds = [] } = plan.opens;
  return { opens: { id, name, otherIds: [...otherIds] } };
}

/** All names of the application: a program chooses its window class, and could choose one that is in no table. */
export const namesOf = ({ id, name, otherIds = [] }: NonNullable<RequestFacts['app']>): string[] => [
  id,
  name,
  ...otherIds,
];

function partsOf(steps: readonly StepPlan[]): NonNullable<RequestFacts['steps']> {
  const apps = steps.flatMap(({ plan, late }) => [
    ...idsOf(plan?.window?.app),
    ...(late?.app == null ? [late?.name] : idsOf(late.app)),
  ]);
  return {
    effects: [...new Set(steps.map(({ effect }) => effect))],
    apps: [...new Set(apps.filter((app) => app !== undefined))],
    acts: steps.filter(({ effect }) => isControlEffect(effect)).length,
  };
}

const idsOf = (app: Pick<App, 'id' | 'otherIds'> | undefined): string[] =>
  app === undefined ? [] : [app.id, ...(app.otherIds ?? [])];

/**
 * False where the kernel does not tell: then nothing granted or remembered may stand for it, for it could be another each time. A
 * program of another machine is known as long as its connection lasts.
 */
export const isKnownProgram = ({ executable, via }: Pick<Agent, 'executable' | 'via'>): boolean =>
  executable !== '' || via === 'ssh';

/** Identifies the program, because a script that is started for every call is a new process each time. */
export const programOf = ({ id, executable, script }: Agent): string =>
  executable === '' ? id : JSON.stringify([executable, script]);

/** All effects of the request, including those of its steps. */
export const effectsOf = ({ effect, steps }: Pick<RequestFacts, 'effect' | 'steps'>): readonly Effect[] => [
  effect,
  ...(steps?.effects ?? []),
];

/** Disclosure is remembered for titles, one application, one area, the whole screen, or else for the tool. */
function memoryOf(
  request: Pick<ApprovalRequest, 'plan'>,
  appId: string | null,
  disclose: boolean,
  name: string,
): string {
  if (!disclose) return 'any';
  const target = request.plan?.target;
  if (target?.kind === 'titles') return 'titles';
  if (target?.kind === 'screen') return target.part === true ? `area:${Object.values(target.rect).join()}` : 'screen';
  return appId === null ? `action:${name}` : `app:${appId.toLowerCase()}`;
}
