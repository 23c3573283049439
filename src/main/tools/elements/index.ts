/** Tools that act on elements: press, write, perform, set. */
import { title, subjectWithoutPlace, type Title } from '../../protocol/index.js';
import * as z from 'zod';
import { typedAsk } from '../../desktop/type-text.js';
import { clickElement, hasPressAction } from '../../desktop/click.js';
import { verifyEffect } from '../../pipeline/verify/effect.js';
import {
  findAction,
  isDestructive,
  STATE_NAMES,
  assertHasState,
  setState,
  type StateChange,
} from '../../desktop/set-state.js';
import { plannedElement } from '../../pipeline/target/plans.js';
import { writeValue } from '../../desktop/write-value.js';
import { defineAction } from '../../pipeline/define.js';
import { toolGroup, type Tool, type ToolDeps } from '../tool.js';
import {
  NEEDS_TARGET,
  createTargets,
  namedTargetFields,
  namesTarget,
  targetFields,
  targetWords,
  valueField,
  type GivenTarget,
  type Targets,
} from './target.js';
import { truncateWithCount } from './query.js';
import { message } from '../../../messages/index.js';
import { ruleError, typable } from '../../protocol/input-errors.js';

const MAX_VALUE_LENGTH = 100_000;
const MAX_ECHO_LENGTH = 2000;

export function elementTools(deps: ToolDeps): Tool[] {
  const targets = createTargets(deps);
  return toolGroup('element', {
    core: [clickTool(targets), writeTool(targets)],
    more: [performTool(targets), setTool(targets)],
  });
}

const CLICK = title('title.click', { button: 'left', count: 1, keys: '' });
const WRITE = title('title.write');

const clickTool = (targets: Targets) =>
  defineAction({
    name: 'click_element',
    title: 'Click element',
    step: 'lasting',
    does: 'click',
    description: 'Clicks an element and reports what changed. Check that before you continue.',
    effect: 'input',
    needs: ['accessibility'],
    verifiesEffect: true,
    input: z
      .object({ ...namedTargetFields, ...valueField })
      .strict()
      .refine(namesTarget, NEEDS_TARGET),
    output: z.object({ clicked: z.literal(true), method: z.enum(['accessibility', 'pointer']) }),
    subject: (given) => subjectWithoutPlace(CLICK, targetWords(given)),
    async plan(ctx, given, signal) {
      const element = await targets.findToAct(ctx, given, signal);
      // A click into a field usually precedes typing, which reaches only the front window.
      const needsFocus = !hasPressAction(element) || element.states.editable;
      return targets.plan(ctx, element, { title: CLICK, needsFocus }, signal);
    },
    async act(ctx, _input, signal) {
      const { method, effect } = await clickElement(ctx, plannedElement(ctx.plan), signal);
      return { value: { clicked: true as const, method }, effect };
    },
    text: ({ method }) => `Clicked (${method}).`,
  });

const writeTool = (targets: Targets) => {
  const targetOf = ({ value: _value, ...target }: { value: unknown } & GivenTarget): GivenTarget => target;
  return defineAction({
    name: 'write_element_value',
    title: 'Write value',
    step: 'lasting',
    does: 'type',
    description: 'Replaces the text of a field, sets a slider, or chooses in a combo box; then reads it back.',
    effect: 'input',
    needs: ['accessibility'],
    input: z
      .object({
        ...namedTargetFields,
        value: z
          .union([z.string().max(MAX_VALUE_LENGTH).superRefine(typable), z.number()])
          .transform(String)
          .describe('May be empty.'),
      })
      .strict()
      .refine((given) => namesTarget(targetOf(given)), NEEDS_TARGET),
    output: z.object({
      written: z.literal(true),
      method: z.enum(['accessibility', 'keys']),
      value: z.string().nullable(),
    }),
    subject: (given) => subjectWithoutPlace(WRITE, targetWords(targetOf(given))),
    async plan(ctx, given, signal) {
      const { value, ...target } = given;
      const element = await targets.findToAct(ctx, target, signal, given);
      const notes = [message(value === '' ? 'note.empties' : 'note.replaces')];
      return targets.plan(
        ctx,
        element,
        { title: WRITE, text: value, notes, ...typedAsk(value), does: { kind: 'write', text: value } },
        signal,
      );
    },
    async act(ctx, { value }, signal) {
      const { method, value: now, effect } = await writeValue(ctx, plannedElement(ctx.plan), value, signal);
      const held = now === null ? null : truncateWithCount(now, MAX_ECHO_LENGTH);
      return { value: { written: true as const, method, value: held }, effect };
    },
    text: ({ method, value }) =>
      value === null
        ? `Written (${method}); what it holds is not read.`
        : `Written (${method}). It holds “${truncateWithCount(value, 200)}” now.`,
  });
};

const performTool = (targets: Targets) =>
  defineAction({
    name: 'perform_element_action',
    title: 'Perform action',
    step: 'lasting',
    does: 'control',
    description: 'Performs one of the actions that an element offers (see get_element_actions).',
    effect: ({ action }) => (isDestructive(action) ? 'dangerous' : 'input'),
    needs: ['accessibility'],
    verifiesEffect: true,
    evidence: 'folder',
    input: z
      .object({
        ...targetFields,
        ...valueField,
        action: z.string().min(1).max(200).describe('press, showmenu, AXIncrement …'),
      })
      .strict()
      .refine(namesTarget, NEEDS_TARGET),
    output: z.object({ performed: z.string() }),
    subject: (given) => subjectWithoutPlace(title('title.perform', { action: given.action }), targetWords(given)),
    async plan(ctx, given, signal) {
      const { action, ...target } = given;
      const element = await targets.findToAct(ctx, target, signal, given);
      const named = findAction(element, action);
      return targets.plan(ctx, element, { title: titleOfAction(named), text: named, ...effectOfAction(named) }, signal);
    },
    async act(ctx, { action }, signal) {
      const element = plannedElement(ctx.plan);
      const named = findAction(element, action);
      const act = () => ctx.desktop.performAction(element.id, named, signal);
      return { value: { performed: named }, effect: await verifyEffect(ctx, act, signal) };
    },
    text: ({ performed }) => `Performed ${performed}.`,
  });

const ACTION_TITLES: ReadonlyMap<string, Title> = new Map<string, Title>([
  ['AXPress', CLICK],
  ['AXShowMenu', title('title.open_menu')],
  ['AXIncrement', title('title.increase')],
  ['AXDecrement', title('title.decrease')],
  ['AXRaise', title('title.switch_to')],
  ['AXSetFocus', title('title.focus')],
  ['AXScrollToVisible', title('title.scroll_to')],
  ['AXExpand', title('title.set_state', { state: 'expand' })],
  ['AXCollapse', title('title.set_state', { state: 'collapse' })],
  ['AXConfirm', title('title.confirm')],
  ['AXCancel', title('title.cancel')],
]);
const titleOfAction = (action: string): Title => ACTION_TITLES.get(action) ?? title('title.perform', { action });

/** Actions that open a context menu, move or count. All others, also those that expand, may be what a press does. */
const HARMLESS: ReadonlySet<string> = new Set(['AXShowMenu', 'AXIncrement', 'AXDecrement', 'AXRaise', 'AXSetFocus', 'AXScrollToVisible']); // prettier-ignore
const effectOfAction = (action: string) => (HARMLESS.has(action) ? { does: { kind: 'nothing' as const } } : {});

const flag = z.boolean().optional();
const wantedStates = (given: { [part in StateChange['part']]?: boolean | undefined }): StateChange[] =>
  STATE_NAMES.flatMap((part) => (given[part] === undefined ? [] : [{ part, on: given[part] }]));
const STATES = {
  checked: ['check', 'uncheck'],
  selected: ['select', 'deselect'],
  expanded: ['expand', 'collapse'],
} as const;

const stateTitle = (given: Parameters<typeof wantedStates>[0]) => {
  const [wanted] = wantedStates(given);
  const state = wanted === undefined ? 'other' : STATES[wanted.part][wanted.on ? 0 : 1];
  return title('title.set_state', { state });
};

const setTool = (targets: Targets) =>
  defineAction({
    name: 'set_element_state',
    title: 'Set state',
    step: 'lasting',
    does: 'control',
    description:
      'Checks, selects or expands an element, or the opposite, and reads it back; does nothing if already so.',
    effect: 'input',
    needs: ['accessibility'],
    input: z
      .object({ ...targetFields, ...valueField, checked: flag, selected: flag, expanded: flag })
      .strict()
      .refine(namesTarget, NEEDS_TARGET)
      .refine((given) => wantedStates(given).length === 1, ruleError('input.one_state')),
    output: z.object({ changed: z.boolean(), method: z.enum(['none', 'accessibility', 'pointer', 'keys']) }),
    subject: (given) => subjectWithoutPlace(stateTitle(given), targetWords(given)),
    async plan(ctx, given, signal) {
      const [wanted] = wantedStates(given);
      const element = await targets.findToAct(ctx, given, signal);
      if (wanted !== undefined) assertHasState(element, wanted.part);
      const so = wanted !== undefined && element.states[wanted.part] === wanted.on;
      return targets.plan(
        ctx,
        element,
        {
          title: stateTitle(given),
          notes: so ? [message('note.so_already')] : [],
        },
        signal,
      );
    },
    async act(ctx, given, signal) {
      const [wanted] = wantedStates(given);
      if (wanted === undefined) throw new Error('a state to set was expected');
      const { method, effect } = await setState(ctx, plannedElement(ctx.plan), wanted, signal);
      return { value: { changed: method !== 'none', method }, effect };
    },
    text: ({ changed, method }) =>
      changed ? `Asked for it (${method}).` : 'It was in that state already: nothing was done.',
  });
