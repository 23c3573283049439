import { describe, expect, it } from 'vitest';
import type { FullView } from '../../src/main/approvals/request.js';
import { createFullView } from '../../src/main/pipeline/capture.js';
import { disposeOldest } from '../../src/main/approvals/queue.js';
import type { Capture } from '../../src/native/desktop.js';
import { agentOf, call, onlyCard, planOf, press, turnAround, world } from './support.js';

const captureOf = (bytes: number): Capture => ({
  width: bytes / 3,
  height: 1,
  rgb: new Uint8Array(bytes),
  scale: 1,
  origin: { x: 0, y: 0 },
});
const fullView = (bytes = 3): FullView => createFullView(planOf({}), captureOf(bytes));

describe('[req:AP-C-4] what was seen for a card', () => {
  it('is there while the card is open, under its digest, and on no disk', async () => {
    const w = world();
    const seen = fullView();
    const one = call(w.approvals, { fullView: seen });
    const { id, digest } = onlyCard(w.approvals);
    expect(w.approvals.fullViewOf(id)).toEqual({ digest, seen: seen.read() });
    expect(w.again().fullViewOf(id)).toEqual({ digest, seen: null });
    press(w, 'allow');
    await one.decision;
    expect(w.approvals.fullViewOf(id)).toBeNull();
  });

  it('is what the card shows: another look for the same request keeps it, another content replaces it', async () => {
    const w = world();
    const [first, second, third] = [fullView(), fullView(), fullView()];
    call(w.approvals, { fullView: first }).end('detach');
    await turnAround();
    const { id } = onlyCard(w.approvals);
    call(w.approvals, { fullView: second }).end('detach');
    await turnAround();
    expect(w.approvals.fullViewOf(id)?.seen).toBe(first.read());
    call(w.approvals, { fullView: third, cells: [200, 200, 200] });
    expect(w.approvals.fullViewOf(id)?.seen).toBe(third.read());
  });

  it('has a most: the oldest go first, the newest never', () => {
    const all = [fullView(300), fullView(60), null, fullView(30)];
    const kept = () => all.map((one) => one !== null && one.read() !== null);
    disposeOldest(all, 390);
    expect(kept()).toEqual([true, true, false, true]);
    disposeOldest(all, 100);
    expect(kept()).toEqual([false, true, false, true]);
    disposeOldest(all, 1);
    expect(kept()).toEqual([false, false, false, true]);
  });

  it('is let go of where other cards need the room', () => {
    const w = world();
    const large = 100 * 1024 * 1024;
    const [one, other] = [fullView(large), fullView(large)];
    call(w.approvals, { fullView: one });
    call(w.approvals, { fullView: other, agent: agentOf({ pid: 101 }) });
    expect(w.approvals.cards().map(({ id }) => w.approvals.fullViewOf(id)?.seen)).toEqual([null, other.read()]);
    expect(one.read()).toBeNull();
  });
});
