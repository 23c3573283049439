import { describe, expect, it } from 'vitest';
import { DesktopError } from '../../../src/native/desktop.js';
import type { AccessibilityBus, Ref } from '../../../src/native/linux/atspi/bus.js';
import { type AccessibleObject, ROLE } from '../../../src/native/linux/atspi/accessible-object.js';
import { createPasswordFields } from '../../../src/native/linux/atspi/one-object.js';
import { openSecureAreas } from '../../../src/native/linux/atspi/secure-areas.js';
import type { TopLevelWindow } from '../../../src/native/linux/windows.js';
import { verbatim } from '../../../src/messages/index.js';

const refOf = (bus: string, at: number): Ref => ({ bus, path: `/${at}` });
const field = (ref: Ref, role: number): AccessibleObject => ({
  ref,
  role,
  name: '',
  description: '',
  states: [0, 0],
  interfaces: new Set(),
  childCount: 0,
});
const [BANK, OTHER] = [':1.7', ':1.8'];

describe('[req:LI-3] what was a password field once', () => {
  const taught = (most: number, count: number, bus = BANK) => {
    const passwords = createPasswordFields(most);
    for (let at = 0; at < count; at += 1) passwords.classify(field(refOf(bus, at), ROLE.passwordText));
    return passwords;
  };
  const roleOf = (passwords: ReturnType<typeof createPasswordFields>, ref: Ref, role: number = ROLE.text) =>
    passwords.classify(field(ref, role)).role;

  it('stays one while it shows its text, and another element does not become one', () => {
    const passwords = taught(10, 1);
    expect(roleOf(passwords, refOf(BANK, 0))).toBe(ROLE.passwordText);
    expect(roleOf(passwords, refOf(BANK, 0), ROLE.entry)).toBe(ROLE.passwordText);
    expect(roleOf(passwords, refOf(BANK, 0), ROLE.label)).toBe(ROLE.label);
    expect(roleOf(passwords, refOf(BANK, 1))).toBe(ROLE.text);
    expect(passwords.of(BANK)).toEqual([refOf(BANK, 0)]);
  });

  it('is never pushed out by others: with too many, every text field of that application is one', () => {
    const full = taught(2_000, 2_000);
    expect(full.overflowed(BANK)).toBe(false);
    expect(roleOf(full, refOf(BANK, 0))).toBe(ROLE.passwordText);
    const over = taught(2_000, 2_001);
    expect(over.overflowed(BANK)).toBe(true);
    for (const at of [0, 2_000, 9_999]) expect(roleOf(over, refOf(BANK, at))).toBe(ROLE.passwordText);
  });

  it('counts each application alone', () => {
    const over = taught(10, 11);
    over.classify(field(refOf(OTHER, 0), ROLE.passwordText));
    expect([over.overflowed(OTHER), roleOf(over, refOf(OTHER, 1))]).toEqual([false, ROLE.text]);
    expect(roleOf(over, refOf(OTHER, 0))).toBe(ROLE.passwordText);
  });

  it('makes room when it is gone, or its connection has ended', () => {
    const passwords = taught(10, 10);
    passwords.forget(refOf(BANK, 3));
    expect(roleOf(passwords, refOf(BANK, 3))).toBe(ROLE.text);
    passwords.classify(field(refOf(BANK, 10), ROLE.passwordText));
    expect(passwords.overflowed(BANK)).toBe(false);
    passwords.classify(field(refOf(BANK, 11), ROLE.passwordText));
    passwords.forget(refOf(BANK, 11));
    expect(passwords.overflowed(BANK)).toBe(true);
    passwords.forgetConnection(BANK);
    expect([passwords.overflowed(BANK), passwords.connections()]).toEqual([false, []]);
  });
});

describe('[req:LI-3] where passwords show', () => {
  const signal = new AbortController().signal;
  const frame = { x: 5, y: 6, width: 70, height: 80 };
  const window: TopLevelWindow = {
    id: 1, top: 1, title: '', instance: '', className: '', pid: 7, frame, client: frame,
    borders: { left: 0, right: 0, top: 0, bottom: 0 }, focused: true, minimized: false, normal: true, viewable: true,
    mapped: true, shown: true, tooltip: false, dragged: false, onOtherDesktop: false, states: [], inside: [], crowded: false,
  }; // prettier-ignore

  function open({
    most = 10,
    registered = [BANK],
    left = new Set<string>(),
    error = '',
    pid = 7,
    ping = () => Promise.resolve(1),
    search = (): Promise<unknown[]> => Promise.resolve([[]]),
  } = {}) {
    const passwords = createPasswordFields(most);
    const asked: string[] = [];
    const unused = (): never => {
      throw new Error('not asked here');
    };
    const bus: AccessibilityBus = {
      call: ({ bus: name }, method) => {
        asked.push(`${name} ${method}`);
        return search();
      },
      property: unused,
      properties: unused,
      setProperty: unused,
      reading: (_names, _signal, work) => work(),
      roots: unused,
      pidOf: unused,
      hasLeft: (name) => Promise.resolve(left.has(name)),
      answers: unused,
      listen: unused,
      onEnd: () => () => {},
      heardAll: unused,
      close: unused,
    };
    const reader = {
      passwords,
      item: unused,
      states: () => Promise.reject(new DesktopError('stale', verbatim('gone'), error === '' ? {} : { error })),
      snapshot: unused,
      ping,
    };
    const scene = {
      bus,
      reader,
      allRoots: async () => {
        const roots = registered.map((name) => ({ root: { bus: name, path: '/root' }, pid }));
        await new Promise((resolve) => setImmediate(resolve));
        asked.push('registry');
        return roots;
      },
      toolkitOf: () => Promise.resolve({ name: 'chromium', major: 1, minor: 0 }),
      context: () =>
        Promise.resolve({
          corrects: true,
          correct: (item: AccessibleObject) => item,
          gtk4Layout: null,
          scaling: unused,
        }) as never,
      pathOf: () => Promise.resolve([]),
    };
    return {
      passwords,
      asked,
      areas: openSecureAreas(scene, { list: () => Promise.resolve([window]) }, () => Promise.resolve(null)),
    };
  }

  it('an application with more of them than are kept is covered whole', async () => {
    const { passwords, areas } = open({ most: 2 });
    for (const at of [0, 1]) passwords.classify(field(refOf(BANK, at), ROLE.passwordText));
    expect(await areas(signal)).toEqual([]);
    for (const at of [2, 3, 4]) passwords.classify(field(refOf(BANK, at), ROLE.passwordText));
    expect(await areas(signal)).toEqual([frame]);
  });

  it('an application whose windows are another process’s is searched, also with more of them than are kept', async () => {
    const { passwords, asked, areas } = open({ most: 2, pid: 8 });
    for (const at of [0, 1, 2]) passwords.classify(field(refOf(BANK, at), ROLE.passwordText));
    await areas(signal);
    expect(passwords.overflowed(BANK)).toBe(true);
    expect(asked).toEqual(['registry', `${BANK} Collection.GetMatches`]);
  });

  it('asks every application each time, those known from before together with the registry', async () => {
    const registered = [BANK];
    const { asked, areas } = open({ registered });
    await areas(signal);
    expect(asked.splice(0)).toEqual(['registry', `${BANK} Collection.GetMatches`]);
    registered.push(OTHER);
    await areas(signal);
    expect(asked.splice(0)).toEqual([`${BANK} Collection.GetMatches`, 'registry', `${OTHER} Collection.GetMatches`]);
    registered.splice(0, 1);
    await areas(signal);
    expect(asked).toHaveLength(3);
    await areas(signal);
    expect(asked.slice(3)).toEqual([`${OTHER} Collection.GetMatches`, 'registry']);
  });

  it('covers an application that hangs as soon as its ping says so, while the search still waits', async () => {
    const ping = () => Promise.reject(new DesktopError('not_responding', verbatim('silent')));
    const { areas } = open({ ping, search: () => new Promise(() => {}) });
    expect(await areas(signal)).toEqual([frame]);
  });

  it.each([
    ['is not there', 'org.freedesktop.DBus.Error.UnknownObject', 0],
    ['is defunct', '', 0],
    ['gives no answer', 'org.freedesktop.DBus.Error.NoReply', 1],
    ['refuses to answer', 'org.freedesktop.DBus.Error.Failed', 1],
  ])('a field that %s', async (_, error, kept) => {
    const { passwords, areas } = open({ error });
    passwords.classify(field(refOf(BANK, 0), ROLE.passwordText));
    expect(await areas(signal)).toEqual([]);
    expect(passwords.of(BANK)).toHaveLength(kept);
  });

  it('a connection is forgotten once it has ended, not while it is only absent from the registry', async () => {
    const { passwords, areas } = open({ registered: [], left: new Set([OTHER]) });
    for (const name of [BANK, OTHER]) passwords.classify(field(refOf(name, 0), ROLE.passwordText));
    await areas(signal);
    expect(passwords.connections()).toEqual([BANK]);
  });
});
