import { describe, expect, it } from 'vitest';
import type { Sight } from '../../src/main/pipeline/ports.js';
import { sightOf } from '../../src/main/pipeline/capture.js';
import { keepWithin } from '../../src/main/approvals/captures.js';
import type { Capture } from '../../src/native/desktop.js';
import { agentOf, call, onlyCard, planOf, press, turnAround, world } from './support.js';

const captureOf = (bytes: number): Capture => ({
  width: bytes / 3,
  height: 1,
  rgb: new Uint8Array(bytes),
  scale: 1,
  origin: { x: 0, y: 0 },
});
const sight = (bytes = 3): Sight => sightOf(planOf({}), captureOf(bytes));

describe('[req:AP-C-4] what was seen for a card', () => {
  it('is there while the card is open, under its digest, and on no disk', async () => {
    const w = world();
    const seen = sight();
    const one = call(w.approvals, { sight: seen });
    const { id, digest } = onlyCard(w.approvals);
    expect(w.approvals.sight(id)).toEqual({ digest, seen: seen.seen() });
    expect(w.again().sight(id)).toEqual({ digest, seen: null });
    press(w, 'allow');
    await one.decision;
    expect(w.approvals.sight(id)).toBeNull();
  });

  it('is what the card shows: another look for the same request keeps it, another content replaces it', async () => {
    const w = world();
    const [first, second, third] = [sight(), sight(), sight()];
    call(w.approvals, { sight: first }).end('detach');
    await turnAround();
    const { id } = onlyCard(w.approvals);
    call(w.approvals, { sight: second }).end('detach');
    await turnAround();
    expect(w.approvals.sight(id)?.seen).toBe(first.seen());
    call(w.approvals, { sight: third, cells: [200, 200, 200] });
    expect(w.approvals.sight(id)?.seen).toBe(third.seen());
  });

  it('has a most: the oldest go first, the newest never', () => {
    const all = [sight(300), sight(60), null, sight(30)];
    const kept = () => all.map((one) => one !== null && one.seen() !== null);
    keepWithin(all, 390);
    expect(kept()).toEqual([true, true, false, true]);
    keepWithin(all, 100);
    expect(kept()).toEqual([false, true, false, true]);
    keepWithin(all, 1);
    expect(kept()).toEqual([false, false, false, true]);
  });

  it('is let go of where other cards need the room', () => {
    const w = world();
    const large = 100 * 1024 * 1024;
    const [one, other] = [sight(large), sight(large)];
    call(w.approvals, { sight: one });
    call(w.approvals, { sight: other, agent: agentOf({ pid: 101 }) });
    expect(w.approvals.cards().map(({ id }) => w.approvals.sight(id)?.seen)).toEqual([null, other.seen()]);
    expect(one.seen()).toBeNull();
  });
});
