/** Agents as the page names them, and the texts that they control. */
import type { ReactNode } from 'react';
import {
  reveal,
  textsIn,
  askerName,
  type Agent,
  type RevealedSegment,
  type Card,
  type ShownStep,
} from '../../main/protocol/index.js';
import { formatter, say } from '../strings.js';

export function AgentInitials({ initials }: { initials: string }): ReactNode {
  return (
    <span className="agent-initials" aria-hidden="true">
      {initialsText(initials)}
    </span>
  );
}

/** Up to two visible letters. */
function initialsText(text: string): string {
  const visible = reveal(text)
    .segments.filter(({ kind }) => kind === 'text' || kind === 'mixed_script')
    .map((segment) => segment.text)
    .join('');
  return [...visible.trim()].slice(0, 2).join('') || '?';
}

/** What an agent is called, in the language of the page. */
export const agentName = (agent: Pick<Agent, 'name' | 'person' | 'via'>): string => askerName(formatter, agent);

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
