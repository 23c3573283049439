/** Windows that come over, move, replace or imitate an approved target between the card and the act, on a real display. */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Rect, Window } from '../../src/native/desktop.js';
import type { Card } from '../../src/main/protocol/index.js';
import type { TestAgent, ToolAnswer } from '../support/agent.js';
import { APPS, startApp, type DesktopApp } from '../support/desktop-app.js';
import { eventually, openLinuxDesktop, type LinuxDesktop } from '../support/linux-desktop.js';
import { settle, type Person } from '../support/person.js';
import { openRawWindow, type RawWindow } from '../support/sentinel.js';
import { notesOf } from '../support/in-english.js';
import { withPerson } from '../support/with-person.js';

const AT = { x: 200, y: 200 };
let linux: LinuxDesktop;
let person: Person;
let agent: TestAgent;
let target: RawWindow;
const apps: DesktopApp[] = [];
const signal = new AbortController().signal;

beforeAll(async () => {
  linux = await openLinuxDesktop();
});
afterAll(() => linux.close());
withPerson(
  (started) => ({ person, agent } = started),
  () => ({ display: 'current', env: linux.session.env }),
);
beforeEach(async () => {
  await linux.desktop.movePointer({ x: 900, y: 700 }, signal);
  target = await openTarget();
});
afterEach(async () => {
  for (const app of apps.splice(0)) await app.close();
  await target.close();
});

async function openTarget(): Promise<RawWindow> {
  const raw = await openRawWindow(linux.session.env, { title: 'Target' });
  await linux.window(({ app }) => app.pid === raw.pid);
  return raw;
}

/** Over the point that is clicked. */
async function lay(over: Rect, ...flags: string[]): Promise<DesktopApp> {
  const given = ['--place', `${over.x},${over.y}`, '--size', `${over.width},${over.height}`, ...flags];
  const app = await startApp('qt', linux.session.env, given, join(APPS, 'overlay.py'));
  apps.push(app);
  await eventually(async () => {
    const all = await linux.desktop.windows(signal);
    expect(all.find((one) => one.app.pid === app.pid)).toMatchObject({ visible: true });
  });
  return app;
}

/** One that nobody sees. */
async function layUnseen(over: Rect): Promise<DesktopApp> {
  const given = ['--place', `${over.x},${over.y}`, '--size', `${over.width},${over.height}`];
  const app = await startApp('gtk', linux.session.env, given, join(APPS, 'input-only.py'));
  apps.push(app);
  await eventually(async () => expect(await app.journal()).toMatchObject([{ event: 'shown' }]));
  return app;
}

/** What the click answers, and its card, where something happens before the person allows it. */
async function clicking(
  meanwhile: () => Promise<unknown>,
  given: object = AT,
): Promise<{ card: Card; answer: ToolAnswer }> {
  const work = agent.call('click', { ...given });
  const { approval } = await person.next('approvalRequested', (one) => one.approval.effect !== 'disclose');
  await meanwhile();
  await settle(person, approval, 'allow');
  return { card: approval, answer: await work };
}

const COVER = { x: 100, y: 100, width: 220, height: 200 };
const manage = (...words: string[]) => void execFileSync('wmctrl', words, { env: linux.session.env });
const presses = () => target.events('press');
const own = async (): Promise<Window> => linux.window(({ app }) => app.pid === target.pid);

test('[req:OV-1] a popup laid over the target after the card was shown gets nothing, and neither does the target', async () => {
  let cover: DesktopApp | undefined;
  const { answer } = await clicking(async () => (cover = await lay(COVER, '--unmanaged')));
  expect(answer.text).toContain('DESKTOP_TARGET_CHANGED');
  // Whose window covers it is not what the person was asked about.
  expect(answer.text).not.toContain('covered by');
  expect(await presses()).toEqual([]);
  expect(await cover?.journal()).toEqual([]);
});

test('[req:OV-1] an unseen window laid over the target gets nothing, and neither does the target', async () => {
  let cover: DesktopApp | undefined;
  const { answer } = await clicking(async () => (cover = await layUnseen(COVER)));
  expect(answer).toMatchObject({ isError: true });
  expect(await presses()).toEqual([]);
  expect(await cover?.journal()).toMatchObject([{ event: 'shown' }]);
});

test('[req:OV-1] one that shows and takes no input is named on the card; the picture and the click are of the window below', async () => {
  await lay(COVER, '--unmanaged', '--click-through');
  const { card, answer } = await clicking(async () => undefined);
  expect(notesOf(card)).toEqual([
    expect.stringContaining('Covered by a popup of'),
    expect.stringContaining('can’t identify what is at this place'),
  ]);
  expect(answer.isError, answer.text).toBe(false);
  await eventually(async () => expect(await presses()).toHaveLength(1));
});

test('[req:OV-2] a target that moved meanwhile is not clicked at another of its places', async () => {
  const { id } = await own();
  const { answer } = await clicking(async () => {
    manage('-i', '-r', id.replace(/^\D*/, ''), '-e', '0,120,90,-1,-1');
    await eventually(async () => expect((await own()).frame.x).toBeGreaterThan(80));
  });
  expect(answer.text).toContain('DESKTOP_TARGET_CHANGED');
  expect(await presses()).toEqual([]);
});

test('[req:OV-2] where another window was raised over it, the target comes forward and alone gets the click', async () => {
  const other = await openRawWindow(linux.session.env, { title: 'Other', place: { x: 80, y: 80 } });
  const over = await linux.window(({ app }) => app.pid === other.pid);
  await linux.desktop.focusWindow((await own()).id, signal);
  const { answer } = await clicking(() => linux.desktop.focusWindow(over.id, signal));
  expect(answer.isError, answer.text).toBe(false);
  await eventually(async () => expect(await presses()).toHaveLength(1));
  expect(await other.events('press')).toEqual([]);
  await other.close();
});

test('[req:OV-2] a window of the same program, title, place and look that took the place of the target is not clicked', async () => {
  const { answer } = await clicking(async () => {
    await target.close();
    target = await openTarget();
  });
  expect(answer.text).toContain('DESKTOP_TARGET_CHANGED');
  expect(await presses()).toEqual([]);
});
