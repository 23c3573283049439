import { describe, expect, it } from 'vitest';
import { DesktopError } from '../../../src/native/desktop.js';
import { openSimulated } from '../../../src/native/simulated/index.js';

const signal = new AbortController().signal;
const free = (): Promise<void> => Promise.resolve();
const limits = { maxDepth: 20, maxNodes: 500, timeoutMs: 30 };

function open() {
  const desktop = openSimulated();
  const { world } = desktop;
  const send = world.find('send') ?? '';
  const pid = Number(
    world.addApp({
      id: 'x',
      name: 'X',
      executable: '/x',
      windows: [{ title: 'X', frame: { x: 20, y: 20, width: 300, height: 200 } }],
    }),
  );
  return { desktop, world, send, pid };
}

async function mailPid(desktop: ReturnType<typeof openSimulated>): Promise<number> {
  return (await desktop.apps(signal)).find((app) => app.name === 'Mail')?.pid ?? 0;
}

describe('what a world can do', () => {
  it('an application that hangs refuses calls, and takes its events when it recovers', async () => {
    const { desktop, world, send } = open();
    const pid = await mailPid(desktop);
    world.person.focus(world.find('to') ?? '');
    world.hang(pid);
    await expect(desktop.tree({ pid }, limits, signal)).rejects.toMatchObject({ code: 'not_responding' });
    await expect(desktop.performAction(send, 'AXPress', signal)).rejects.toMatchObject({ code: 'not_responding' });
    await desktop.typeText('late', free, signal);
    expect(world.text(world.find('to') ?? '')).toBe('');
    world.recover(pid);
    expect(world.text(world.find('to') ?? '')).toBe('late');
    expect((await desktop.element(send, signal)).title).toBe('Send');
  });

  it('an application that hangs silently ends calls only by their signal, and a tree by its limit', async () => {
    const { desktop, world, send } = open();
    const pid = await mailPid(desktop);
    world.hang(pid, 'silent');
    const abort = new AbortController();
    const reason = new Error('waited enough');
    const pending = desktop.element(send, abort.signal);
    const other = await desktop.windows(signal);
    expect(other.length).toBeGreaterThan(0);
    abort.abort(reason);
    await expect(pending).rejects.toBe(reason);
    await expect(desktop.tree({ pid }, limits, signal)).rejects.toMatchObject({ code: 'not_responding' });
  });

  it('an application that is killed is gone with its windows and elements', async () => {
    const { desktop, world, send } = open();
    const pid = await mailPid(desktop);
    world.kill(pid);
    await expect(desktop.element(send, signal)).rejects.toMatchObject({ code: 'stale' });
    await expect(desktop.tree({ pid }, limits, signal)).rejects.toMatchObject({ code: 'not_found' });
    expect((await desktop.windows(signal)).filter((window) => window.app.pid === pid)).toEqual([]);
  });

  it('a swapped dialog lies in the same place but is another window with other elements', async () => {
    const { desktop, world, pid } = open();
    const button = (title: string) => ({
      role: 'AXButton' as const,
      title,
      frame: { x: 20, y: 20, width: 80, height: 30 },
    });
    const before = world.addWindow(pid, {
      title: 'Save?',
      frame: { x: 400, y: 300, width: 300, height: 160 },
      elements: [button('Cancel')],
    });
    const old = await desktop.elementAt({ x: 450, y: 360 }, signal);
    const after = world.swapDialog(before, { title: 'Save?', elements: [button('Delete everything')] });
    const now = await desktop.elementAt({ x: 450, y: 360 }, signal);
    expect(old?.title).toBe('Cancel');
    expect(now).toMatchObject({ title: 'Delete everything', frame: old?.frame });
    expect(after).not.toBe(before);
    await expect(desktop.element(old?.id ?? '', signal)).rejects.toMatchObject({ code: 'stale' });
  });

  it('elements appear, change and become secret', async () => {
    const { desktop, world, pid } = open();
    const window = world.addWindow(pid, { title: 'Form', frame: { x: 400, y: 300, width: 300, height: 160 } });
    const field = world.addElement(window, {
      role: 'AXTextField',
      title: 'Code',
      value: '1234',
      frame: { x: 10, y: 10, width: 100, height: 28 },
    });
    expect(await desktop.element(field, signal)).toMatchObject({ value: '1234', states: { secure: false } });
    world.setSecure(field, true);
    expect(await desktop.element(field, signal)).toMatchObject({ value: null, states: { secure: true } });
    expect(await desktop.secureAreas(signal)).toContainEqual({ x: 410, y: 338, width: 100, height: 28 });
    world.change(field, {
      title: 'PIN',
      value: '9',
      enabled: false,
      secure: false,
      frame: { x: 0, y: 0, width: 50, height: 20 },
    });
    expect(await desktop.element(field, signal)).toMatchObject({
      title: 'PIN',
      value: '9',
      frame: { width: 50 },
      states: { enabled: false, editable: false },
    });
    await expect(desktop.setValue(field, 'x', signal)).rejects.toMatchObject({ code: 'unsupported' });
    world.removeElement(field);
    await expect(desktop.element(field, signal)).rejects.toMatchObject({ code: 'stale' });
  });

  it('the person moves, clicks and types, and listeners hear of it', async () => {
    const { desktop, world, send } = open();
    const heard: unknown[] = [];
    desktop.onPersonInput((at) => heard.push(at));
    world.person.move({ x: 5, y: 6 });
    world.person.focus(world.find('to') ?? '');
    world.person.type('hi');
    world.person.key('backspace');
    world.person.press(send);
    expect(world.text(world.find('to') ?? '')).toBe('h');
    expect(heard).toEqual([{ x: 5, y: 6 }, null, null, null, null]);
  });

  it('a permission that is missing stops what needs it, and nothing else', async () => {
    const { desktop, world, send, pid } = open();
    world.setPermission('screenRecording', 'missing');
    await expect(desktop.capture({ kind: 'display' }, signal)).rejects.toMatchObject({ code: 'permission' });
    expect((await desktop.element(send, signal)).title).toBe('Send');
    world.setPermission('accessibility', 'missing');
    for (const call of [
      desktop.tree({ pid }, limits, signal),
      desktop.element(send, signal),
      desktop.performAction(send, 'AXPress', signal),
    ]) {
      await expect(call).rejects.toMatchObject({ code: 'permission' });
    }
    expect((await desktop.permissions(signal)).accessibility).toBe('missing');
  });

  it('a lost desktop ends what waits for a guard', async () => {
    const { desktop, world } = open();
    const typing = desktop.typeText(
      'abc',
      () => {
        world.lose('unplugged');
        return Promise.resolve();
      },
      signal,
    );
    await expect(typing).rejects.toThrow(DesktopError);
    expect(world.journal().filter((entry) => entry.event === 'key')).toEqual([]);
  });

  it('a guard that never answers ends with the signal', async () => {
    const { desktop, world } = open();
    const abort = new AbortController();
    const pending = desktop.key('a', true, () => new Promise(() => undefined), abort.signal);
    abort.abort(new Error('stop'));
    await expect(pending).rejects.toThrow('stop');
    expect(world.journal()).toEqual([]);
  });

  it('worlds do not share anything', async () => {
    const [one, two] = [open(), open()];
    await one.desktop.writeClipboard({ text: 'mine' }, signal);
    await one.desktop.setValue(one.world.find('to') ?? '', 'x', signal);
    expect(two.world.clipboard()).toEqual({});
    expect(two.world.text(two.world.find('to') ?? '')).toBe('');
  });
});
