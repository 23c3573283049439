/**
 * One suite that every backend passes: whatever crosses the desktop interface means the same everywhere.
 * Judged by what the applications themselves tell, never by the backend's word alone.
 */
import { afterAll, afterEach, beforeAll, beforeEach, describe } from 'vitest';
import { createBench, type Bench } from './bench.js';
import type { Fixture } from './fixture.js';
import { acting } from './parts/acting.js';
import { choosing } from './parts/choosing.js';
import { clipboard } from './parts/clipboard.js';
import { aborting, ending } from './parts/ending.js';
import { finding } from './parts/finding.js';
import { following } from './parts/following.js';
import { noticing } from './parts/noticing.js';
import { painting, withoutPaints } from './parts/painting.js';
import { pictures } from './parts/pictures.js';
import { pointing } from './parts/pointing.js';
import { scrolling } from './parts/scrolling.js';
import { seeing } from './parts/seeing.js';
import { typing } from './parts/typing.js';
import { windows } from './parts/windows.js';

type Part = (bench: () => Bench) => void;

/** Leave everything as it was, so one start of the applications serves a whole part. */
const LOOKING: [string, Part][] = [
  ['seeing', seeing],
  ['finding', finding],
  ['aborting', aborting],
];
const ACTING: [string, Part][] = [
  ['following', following],
  ['acting through accessibility', acting],
  ['choosing', choosing],
  ['scrolling to elements', scrolling],
  ['typing', typing],
  ['pointing', pointing],
  ['windows', windows],
  ['pictures', pictures],
  ['clipboard', clipboard],
  ['noticing', noticing],
];

export interface Platform {
  /** False where it does not tell when a window is painted. Default true. */
  tellsPaints?: boolean;
}

/** `open` gives a fresh desktop; it is called once for the suite, and once more for each test of an ending. */
export function describeDesktop(
  name: string,
  open: () => Promise<Fixture>,
  { tellsPaints = true }: Platform = {},
): void {
  const acting: [string, Part][] = [...ACTING, ['painting', tellsPaints ? painting : withoutPaints]];
  describe(`[req:DS-9-1] the Desktop contract: ${name}`, () => {
    describe('while it lives', () => {
      let fixture: Fixture | null = null;
      let bench: Bench | null = null;
      beforeAll(async () => {
        fixture = await open();
      });
      const start = async (): Promise<void> => {
        if (fixture !== null) bench = createBench(fixture, await fixture.start());
      };
      afterEach(() => fixture?.desktop.releaseAll());
      afterAll(() => fixture?.close());
      describe.each(LOOKING)('%s', (_, part) => {
        beforeAll(start);
        part(() => opened(bench));
      });
      describe.each(acting)('%s', (_, part) => {
        beforeEach(start);
        part(() => opened(bench));
      });
    });

    describe('at its end', () => {
      let bench: Bench | null = null;
      beforeEach(async () => {
        const fixture = await open();
        bench = createBench(fixture, await fixture.start());
      });
      afterEach(() => bench?.fixture.close());
      ending(() => opened(bench));
    });
  });
}

function opened(bench: Bench | null): Bench {
  if (bench === null) throw new Error('the fixture did not open');
  return bench;
}
