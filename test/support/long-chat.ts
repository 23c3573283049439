/** A conversation longer than a page keeps, as a host tells it part by part. */
import type { Page } from 'playwright';
import type { ChatEvent } from '../../src/main/protocol/index.js';
import type { PageHost } from './page-host.js';
import { ago, answer, question } from './page-samples.js';

export const GREETING = 1_000;
export const AT_ONCE = 300;

const FIRST = question(1, 'Message 1.');

/** Mostly the person's own, which cost little to draw; of different heights. */
export function saidAt(seq: number, count: number): ChatEvent {
  const text = `Message ${seq}.${'\n\nAnd more of it.'.repeat(seq % 3)}`;
  const at = ago(count - seq);
  return seq % 20 === 0 ? question(seq, text, { at }) : answer(seq, FIRST, text, { at });
}

export const longChat = (count: number): ChatEvent[] =>
  Array.from({ length: count }, (_, index) => saidAt(index + 1, count));

/** The part before that number that a host gives at a time. */
export function partBefore(all: readonly ChatEvent[], before: number): { events: ChatEvent[]; since: number } {
  const since = Math.max(0, before - 1 - AT_ONCE);
  return { events: all.slice(since, before - 1), since };
}

/** Answers with older parts. Returns the numbers that were asked for. */
export function serveEarlier(host: PageHost, all: readonly ChatEvent[]): number[] {
  const asked: number[] = [];
  host.answers.earlier = ({ before }) => {
    asked.push(before);
    return partBefore(all, before);
  };
  return asked;
}

interface Walk {
  /** Nodes, and parts of the conversation, drawn or not, at most. */
  nodes: number;
  blocks: number;
  /** How far what was read jumped when older messages came above it, in pixels. */
  moved: number;
  /** The first message it came to. */
  first: string;
}

/** Goes to the top again and again until that message is there. */
export const goBack = (page: Page, to = 1): Promise<Walk> =>
  page.evaluate(async (until) => {
    const frame = () => new Promise(requestAnimationFrame);
    const drawn = () => [...document.querySelectorAll('.chat [data-anchor]')];
    const isInView = (top: number) => top > 100 && top < innerHeight;
    const numberOf = (text: string) => Number(/Message (\d+)\./.exec(text)?.[1]);
    const firstDrawn = () => drawn()[0]?.textContent ?? '';
    let [nodes, blocks, moved, still, first] = [0, 0, 0, 0, ''];
    window.scrollTo({ top: document.body.scrollHeight, behavior: 'instant' });
    await frame();
    // A walk that gets no further, however slow the machine is, ends here and is seen by what it has reached.
    while (still < 600 && !(numberOf(first) <= until)) {
      window.scrollTo({ top: 0, behavior: 'instant' });
      const read = drawn().find((one) => isInView(one.getBoundingClientRect().top));
      const before = read?.getBoundingClientRect().top ?? 0;
      await frame();
      await frame();
      if (read?.isConnected) moved = Math.max(moved, Math.abs(read.getBoundingClientRect().top - before));
      nodes = Math.max(nodes, document.querySelectorAll('*').length);
      blocks = Math.max(blocks, document.querySelectorAll('.chat [data-block]').length);
      still = first === firstDrawn() ? still + 1 : 0;
      first = firstDrawn();
    }
    return { nodes, blocks, moved, first };
  }, to);

/** Numbers of the messages in view; of those that stand after a gap, none. */
export const inView = (page: Page): Promise<number[]> =>
  page.evaluate(() => {
    const gap = document.querySelector('.chat-gap');
    const isAfterGap = (one: Element) =>
      gap !== null && (gap.compareDocumentPosition(one) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0;
    return [...document.querySelectorAll('.chat [data-anchor]')]
      .filter((one) => {
        const { top, bottom } = one.getBoundingClientRect();
        return bottom > 64 && top < innerHeight && !isAfterGap(one);
      })
      .map((one) => Number(/Message (\d+)\./.exec(one.textContent ?? '')?.[1]));
  });
