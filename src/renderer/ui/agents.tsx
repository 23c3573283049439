/** Agents as the page names them, and the texts that they control. */
import { createContext, useContext, type ReactNode } from 'react';
import {
  reveal,
  textsIn,
  askerName,
  fullAskerName,
  type Agent,
  type RevealedSegment,
  type Card,
  type ShownStep,
} from '../../main/protocol/index.js';
import { formatter, say } from '../strings.js';

/** What the person calls agents, by id. */
export const NamesContext = createContext<ReadonlyMap<string, string>>(new Map());

type NamedAgent = Pick<Agent, 'name' | 'person' | 'via'> & { id?: string | undefined };
export type NameOf = (agent: NamedAgent) => string;

/** The name that the program has by itself, in the language of the page. */
export const programName: NameOf = (agent) => askerName(formatter, agent);

/** What an agent is called wherever it is mentioned. */
export function useAgentName(): NameOf {
  const names = useContext(NamesContext);
  return (agent) => names.get(agent.id ?? '') ?? programName(agent);
}

/** The same with the program behind it, where somebody decides by it. */
export function useFullAgentName(): NameOf {
  return fullNameOf(useContext(NamesContext));
}

export const fullNameOf =
  (names: ReadonlyMap<string, string>): NameOf =>
  (agent) =>
    fullAskerName(formatter, agent, names.get(agent.id ?? '') ?? null);

export function AgentInitials({ agent }: { agent: Pick<Agent, 'id' | 'tile'> }): ReactNode {
  const name = useContext(NamesContext).get(agent.id);
  return (
    <span className="agent-initials" aria-hidden="true">
      {initialsText(name === undefined ? agent.tile : shortened(name))}
    </span>
  );
}

/** The first letters of two words, else two of one. */
function shortened(name: string): string {
  const [first = '', second] = name.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '');
  return (second === undefined ? first : `${[...first][0] ?? ''}${[...second][0] ?? ''}`).toUpperCase();
}

/** Up to two visible letters. */
function initialsText(text: string): string {
  const visible = reveal(text)
    .segments.filter(({ kind }) => kind === 'text' || kind === 'mixed_script')
    .map((segment) => segment.text)
    .join('');
  return [...visible.trim()].slice(0, 2).join('') || '?';
}

// The texts of a card that an agent controls, and those with hidden or misleading characters.

/** A name longer than this is cut in the title and shown whole in the exact request. */
export const LONG_NAME = 80;
const MAX_COMPARED_TEXTS = 50;
const CHARS_BEFORE = 24;
const CHARS_AFTER = 40;

export interface MarkedText {
  /** The part around the first marked character. */
  segments: RevealedSegment[];
  marks: number;
}

export function agentTexts(card: Card): string[] {
  const { subject, agent, process } = card;
  const named = [
    ...textsIn(subject.title.params),
    subject.target,
    subject.app,
    subject.place,
    card.text,
    card.window,
    card.documentUrl,
  ];
  const who = [
    agent.name,
    agent.claim,
    agent.executable,
    agent.script,
    agent.cwd,
    process?.name,
    process?.appId,
    card.workspace,
  ];
  const steps = (card.steps ?? []).flatMap(stepTexts);
  const all = [...named, ...steps, ...textsIn(card.arguments), ...who, ...card.ancestors, ...card.notes.map(say)];
  return [...new Set(all.filter((text): text is string => typeof text === 'string' && text !== ''))];
}

function stepTexts({ tool, subject, arguments: given, text, process, window, documentUrl, notes }: ShownStep) {
  const { title, target, app, place } = subject;
  return [
    tool,
    ...textsIn(title.params),
    target,
    app,
    place,
    text,
    process?.appId,
    window,
    documentUrl,
    ...textsIn(given),
    ...notes.map(say),
  ];
}

export function markedTexts(card: Card): MarkedText[] {
  return outermost(agentTexts(card).filter((text) => reveal(text).marked)).map((text) => {
    const { segments } = reveal(text);
    return { segments: around(segments), marks: segments.filter(isMark).length };
  });
}

/** Leaves out a text that another one contains, unless there are too many to compare. */
function outermost(texts: string[]): string[] {
  if (texts.length > MAX_COMPARED_TEXTS) return texts;
  return texts.filter((text) => !texts.some((other) => other !== text && other.includes(text)));
}

export function hasLongName(card: Card): boolean {
  const subjects = [card.subject, ...(card.steps ?? []).map((step) => step.subject)];
  const named = subjects.flatMap(({ title, target, app }) => [...textsIn(title.params), target, app]);
  return [card.agent.name, ...named].some((text) => text !== null && [...text].length > LONG_NAME);
}

function isMark(segment: RevealedSegment): boolean {
  return segment.kind !== 'text' && segment.kind !== 'newline';
}

/** From `CHARS_BEFORE` before the first mark to `CHARS_AFTER` after it, at most to the end of its line. */
function around(segments: RevealedSegment[]): RevealedSegment[] {
  const at = segments.findIndex(isMark);
  const before = segments[at - 1];
  const near = segments.slice(at, at + 4);
  const end = near.findIndex((segment) => segment.kind === 'newline');
  const rest = (end === -1 ? near : near.slice(0, end)).map((segment) =>
    segment.kind === 'text' ? { ...segment, text: segment.text.slice(0, CHARS_AFTER) } : segment,
  );
  if (before?.kind !== 'text') return rest;
  return [{ ...before, text: before.text.slice(-CHARS_BEFORE).trimStart() }, ...rest];
}
