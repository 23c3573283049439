import { describe, expect, it } from 'vitest';
import { Stopped } from '../../../src/main/pipeline/failures.js';
import { startPages, uuid } from './support.js';
import { message } from '../../../src/messages/index.js';

const FRAME = { type: 'frame', seq: 1, at: '2026-01-01T00:00:00.000Z', picture: null, pointer: null, ring: null, noFrameReason: null } as const; // prettier-ignore

describe('a page that is not paired', () => {
  it('[req:AP-L-3] sees nothing live, lets no agent go on, takes nothing over and has nothing checked', async () => {
    const { acts, open } = await startPages();
    const page = open();
    await page.says({ type: 'live', on: true });
    await page.says({ type: 'frameTaken', seq: 1 });
    await page.says({ type: 'pauseAgent', id: 'a', on: false });
    await page.says({ type: 'forgetAgent', id: 'a' });
    await page.says({ type: 'takeOver' });
    await page.says({ type: 'check', request: uuid(1), record: true });
    expect(page.all('error').map(({ code }) => code)).toEqual(Array(6).fill('pairing_needed'));
    expect(page.last('error').about).toBe(uuid(1));
    for (const act of [acts.show, acts.taken, acts.pause, acts.forget, acts.takeOver, acts.check])
      expect(act).not.toHaveBeenCalled();
  });

  it('[req:DS-6-34] may hold one agent back', async () => {
    const { acts, open } = await startPages();
    await open().says({ type: 'pauseAgent', id: 'a', on: true });
    expect(acts.pause).toHaveBeenCalledExactlyOnceWith({ on: true, where: 'page', by: 'unpaired', agentId: 'a' });
    expect(acts.halt).toHaveBeenCalledExactlyOnceWith(expect.any(Stopped), 'a');
  });
});

describe('a paired page', () => {
  it('looks, says what it has taken, and looks no longer once it has gone', async () => {
    const { acts, openPaired } = await startPages();
    const page = await openPaired();
    await page.says({ type: 'live', on: true });
    const [viewer, still, send] = acts.show.mock.calls[0] ?? [];
    expect(still).toBe(false);
    send?.(FRAME);
    expect(page.last('frame')).toEqual(FRAME);
    await page.says({ type: 'frameTaken', seq: 1 });
    expect(acts.taken).toHaveBeenCalledExactlyOnceWith(viewer, 1);
    await page.says({ type: 'live', on: false });
    expect(acts.leave).toHaveBeenCalledTimes(1);
    page.hangUp();
    expect(acts.leave).toHaveBeenCalledTimes(2);
    expect(acts.leave).toHaveBeenLastCalledWith(viewer);
  });

  it('loses its look with its pairing', async () => {
    const { acts, pairing, openPaired } = await startPages();
    const page = await openPaired();
    await page.says({ type: 'live', on: true });
    pairing.revoke(page.keyId);
    expect(acts.leave).toHaveBeenCalledWith(acts.show.mock.calls[0]?.[0]);
  });

  it('[req:AP-G-1] pauses and resumes one agent, takes over, has forgotten what was remembered, and has this machine checked', async () => {
    const { acts, openPaired } = await startPages();
    const page = await openPaired();
    const person = { where: 'page', by: page.keyId };
    await page.says({ type: 'pauseAgent', id: 'a', on: true });
    await page.says({ type: 'pauseAgent', id: 'a', on: false });
    await page.says({ type: 'takeOver' });
    const reason = message('pause.took_over');
    const paused = [
      { on: true, agentId: 'a' },
      { on: false, agentId: 'a' },
      { on: true, reason },
    ];
    expect(acts.pause.mock.calls).toEqual(paused.map((change) => [{ ...change, ...person }]));
    expect(acts.halt).toHaveBeenCalledExactlyOnceWith(expect.any(Stopped), 'a');
    expect(acts.takeOver).toHaveBeenCalledExactlyOnceWith(expect.any(Stopped));
    await page.says({ type: 'forgetAgent', id: 'a' });
    expect(acts.forget).toHaveBeenCalledExactlyOnceWith('a');
    await page.says({ type: 'check', request: uuid(1), record: true });
    expect(acts.check).toHaveBeenCalledExactlyOnceWith(true);
    expect(page.last('check')).toMatchObject({ request: uuid(1), findings: [] });
  });
});
