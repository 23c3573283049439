/** The turns of the conversation in a virtual list; open questions and the newest turns are always rendered. */
import { useEffect, useState, type ReactElement, type ReactNode } from 'react';
import type { Actions } from '../../app/actions.js';
import { blockOf, sectionOf, isWaiting } from './shown-turns.js';
import { type Turn, hasLeft, type ReplyTurn } from '../../state/select.js';
import type { PageState } from '../../state/state.js';
import { VirtualBlock, createVirtualList, type VirtualList } from '../../ui/VirtualList.js';
import { AgentTurn } from './AgentTurn.js';
import { prepareMarkdown } from './MarkdownText.js';
import { imageKind } from './drafts.js';
import { toPlainText } from '../../../main/protocol/index.js';
import { clockTime } from '../../ui/formats.js';
import { t } from '../../strings.js';
import { useAgentName, type NameOf } from '../../ui/agents.js';
import { pictureUrl } from '../requests/CardPicture.js';
import { Icon } from '../../ui/Icon.js';

const TURN_PX = 110;
/** Blocks at the end are rendered at once. */
const BLOCKS_AT_FIRST = 12;
const MIN_HEIGHTS = 200;

interface Props {
  turns: Turn[];
  state: PageState;
  actions: Actions;
}

/** `gap`: stands where messages are missing. */
export function TurnList({ turns, state, actions, gap }: Props & { gap: ReactElement | null }): ReactNode {
  const [heights] = useState(() => new Map<string, number>());
  const [list] = useState(createVirtualList);
  const sections = groupTurns(turns, sectionOf);
  usePrunedHeights(heights, turns);
  const parts = sections.map(({ id, turns: said }, index) => (
    <VirtualBlock
      key={id}
      id={sectionId(id)}
      level="section"
      list={list}
      className="part"
      heights={heights}
      estimatedPx={said.length * TURN_PX}
      initiallyRendered={index === sections.length - 1}
      alwaysRendered={index === sections.length - 1 || said.some(isWaiting)}
      silent={index < sections.length - 1}
      dependencies={dependenciesOf(said, state, actions)}
    >
      {() => <Blocks turns={said} isLast={index === sections.length - 1} {...{ list, heights, state, actions }} />}
    </VirtualBlock>
  ));
  return gap === null ? parts : parts.toSpliced(countBeforeGap(sections, state), 0, gap);
}

function countBeforeGap(sections: { turns: Turn[] }[], { gap }: PageState): number {
  const isAfter = ({ turns: [first] }: { turns: Turn[] }) => gap !== null && (first?.message.seq ?? 0) > gap.after;
  const found = sections.findIndex(isAfter);
  return found === -1 ? sections.length : found;
}

/** Of parts that are no longer listed, no heights are kept. */
function usePrunedHeights(heights: Map<string, number>, turns: Turn[]): void {
  useEffect(() => {
    if (heights.size <= 2 * turns.length + MIN_HEIGHTS) return;
    const listed = new Set(turns.flatMap((turn) => [sectionId(sectionOf(turn)), String(blockOf(turn))]));
    for (const id of heights.keys()) if (!listed.has(id)) heights.delete(id);
  });
}

const sectionId = (section: number | string): string => `section ${section}`;

interface BlocksProps extends Props {
  list: VirtualList;
  heights: Map<string, number>;
  isLast: boolean;
}

function Blocks({ turns, list, heights, isLast, state, actions }: BlocksProps): ReactNode {
  const blocks = groupTurns(turns, blockOf);
  return blocks.map(({ id, turns: said }, index) => {
    const isNewest = isLast && index === blocks.length - 1;
    return (
      <VirtualBlock
        key={id}
        id={id}
        level="block"
        list={list}
        className="part"
        heights={heights}
        estimatedPx={said.length * TURN_PX}
        initiallyRendered={isLast && index >= blocks.length - BLOCKS_AT_FIRST}
        alwaysRendered={isNewest || said.some(isWaiting)}
        silent={!isNewest}
        dependencies={dependenciesOf(said, state, actions)}
        prepare={() => said.forEach(prepareTurn)}
      >
        {() =>
          said.map((turn) =>
            turn.kind === 'agent' ? (
              <AgentTurn key={turn.message.seq} turn={turn} state={state} actions={actions} />
            ) : (
              <PersonTurn key={turn.message.seq} turn={turn} state={state} />
            ),
          )
        }
      </VirtualBlock>
    );
  });
}

function prepareTurn(turn: Turn): void {
  if (turn.kind === 'agent') prepareMarkdown(turn.message);
}

function groupTurns(said: Turn[], groupOf: (turn: Turn) => number): { id: string; turns: Turn[] }[] {
  const groups = new Map<string, Turn[]>();
  for (const turn of said) {
    const id = String(groupOf(turn));
    const group = groups.get(id);
    if (group === undefined) groups.set(id, [turn]);
    else group.push(turn);
  }
  return [...groups].map(([id, turns]) => ({ id, turns }));
}

function dependenciesOf(said: Turn[], state: PageState, actions: Actions): unknown[] {
  return [...said.flatMap(turnDependencies), ...(said.some(isUnsettled) ? stateDependencies(state) : []), actions];
}

function turnDependencies(turn: Turn): unknown[] {
  return turn.kind === 'agent'
    ? [turn.message, turn.state]
    : [turn.message, turn.given, turn.deliveredAt, turn.isUnknown, turn.to];
}

/** It also shows state of the page, not only the message. */
function isUnsettled(turn: Turn): boolean {
  return turn.kind === 'agent' ? isWaiting(turn) : turn.deliveredAt === null;
}

const stateDependencies = ({ connection, role, status, replying, replyProblems }: PageState): unknown[] => [
  connection,
  role,
  status.agents,
  replying,
  replyProblems,
];

// A reply of the person, and whether the agent has received it.

function PersonTurn({ turn, state }: { turn: ReplyTurn; state: PageState }): ReactNode {
  const { message } = turn;
  const nameOf = useAgentName();
  return (
    <div className="reply" data-anchor>
      {message.to === undefined ? null : (
        <p className="delivery">{t('page.chat.to', { agent: toPlainText(nameOf(message.to)) })}</p>
      )}
      <Images images={message.images ?? []} />
      {message.text === '' ? null : (
        <p className="bubble" dir="auto">
          {message.text}
        </p>
      )}
      {turn.isUnknown ? null : (
        <p className="delivery">
          <Icon name={turn.deliveredAt === null ? 'clock' : 'check'} />
          <span>
            {deliveryText(turn, state, nameOf)}
            {message.paired ? null : `${t('page.marks.comma')}${howGiven(message)}`}
          </span>
        </p>
      )}
      {turn.isUnknown && !message.paired ? <p className="delivery">{howGiven(message)}</p> : null}
    </div>
  );
}

const howGiven = ({ inClient }: ReplyTurn['message']): string =>
  t(inClient ? 'page.chat.in_client' : 'page.chat.unpaired');

function deliveryText({ message, to, given, deliveredAt }: ReplyTurn, state: PageState, nameOf: NameOf): string {
  if (deliveredAt !== null)
    return t('page.chat.has', {
      agent: to === null ? t('page.chat.the_agent') : toPlainText(nameOf(to)),
      time: clockTime(deliveredAt),
    });
  if (to === null) return t('page.chat.waits_for_agent');
  const isWritten = message.to !== undefined;
  const [agent, left] = [toPlainText(nameOf(to)), hasLeft(state, to.id)];
  if (given) return left ? t('page.chat.given_left', { agent }) : t('page.chat.given', { agent });
  if (left) return t('page.chat.left_before', { agent });
  return t(isWritten ? 'page.chat.unread' : 'page.chat.waits_for', { agent });
}

function Images({ images }: { images: NonNullable<ReplyTurn['message']['images']> }): ReactNode {
  return images.map(({ mimeType, base64 }, index) => {
    const kind = imageKind(mimeType);
    if (kind === null) return null;
    const alt = t('page.chat.image_alt', { index: index + 1 });
    return <img key={index} className="sent-image" src={pictureUrl({ mimeType: kind, base64 })} alt={alt} />;
  });
}
