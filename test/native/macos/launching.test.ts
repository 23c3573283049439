import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { installedApp, openBundles, type Bundles } from '../../../src/native/macos/launching/bundles.js';
import { launch } from '../../../src/native/macos/launching/launch.js';
import type { Launched } from '../../../src/native/desktop.js';
import { rejectionOf } from '../../support/macos/errors.js';
import type { Opened } from '../../support/macos/reader.js';
import { MAIN } from '../../support/macos/scene.js';
import { withScene } from '../../support/macos/with-scene.js';

const OPENS = { starts: 0, errs: 1, never: 2, steals: 3, ends: 4, windowless: 5 };
const ID = 'com.example.notes';
const { signal } = new AbortController();

let opened: Opened;
let bundles: Bundles;
let folder: string;
const { script } = withScene((started) => ({ opened } = started));
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'chaperone-test-'));
  bundles = openBundles(opened.core, opened.apps, [folder, '/nowhere']);
});
afterEach(() => rmSync(folder, { recursive: true }));

/** In the folder, as file and to the system. */
function install(file: string, id: string, name: string, mode = OPENS.starts): string {
  const path = join(folder, `${file}.app`);
  mkdirSync(path);
  script.install(path, id, name, mode);
  return path;
}

const start = (application: string, background = false, newInstance = false): Promise<Launched> =>
  launch({ ...opened, bundles }, application, { background, newInstance }, signal);
const opens = (): string[] => script.journal().filter((line) => line.startsWith('open '));

describe('an application', () => {
  it('is found by its id, its path, its program and its names', async () => {
    const path = install('Notes', ID, 'Notizen');
    const found = { id: ID, name: 'Notizen', command: [join(path, 'Contents/MacOS/program')], installed: true };
    for (const name of [ID, path, join(path, 'Contents/MacOS/program'), 'Notes', 'notes', 'Notizen', 'NOTIZEN']) {
      expect(installedApp(await bundles.find(name)), name).toEqual(found);
    }
  });

  it('of the same name in other letters does not stand for the one that was named', async () => {
    install('NOTES', 'com.example.other', 'Other');
    install('Notes', ID, 'Notes');
    expect((await bundles.find('Notes')).id).toBe(ID);
  });

  it('is taken from where the system has it', async () => {
    script.install('/System/Cryptexes/App/Hidden.app', 'com.example.hidden', 'Hidden', OPENS.starts);
    expect(await bundles.find('com.example.hidden')).toMatchObject({ url: 'file:///System/Cryptexes/App/Hidden.app/' });
  });

  it('that is not there is told with those that are', async () => {
    install('Notes', ID, 'Notes');
    mkdirSync(join(folder, 'Empty.app'));
    const known = { code: 'not_found', details: { known: ['Empty', 'Notes'] } };
    for (const name of ['Nothing', '/bin/sh', 'Empty', join(folder, 'Notes.app/Contents/MacOS/other')]) {
      expect(await rejectionOf(bundles.find(name)), name).toMatchObject(known);
    }
  });
});

describe('launching', () => {
  it('brings what is started to the front, and says so once it has a window', async () => {
    install('Notes', ID, 'Notes');
    const launched = await start('Notes');
    expect(launched).toMatchObject({ app: { id: ID, frontmost: true }, how: 'started', focus: 'moved' });
    expect(opened.windows.list().map(({ app }) => app.pid)).toContain(launched.app.pid);
    expect(await start(ID)).toMatchObject({ how: 'activated', focus: 'kept', app: { pid: launched.app.pid } });
    const other = await start(ID, false, true);
    expect(other.how).toBe('started');
    expect(other.app.pid).not.toBe(launched.app.pid);
    expect(opens()).toEqual([`open ${ID} activates 1 new 0`, `open ${ID} activates 1 new 0`, `open ${ID} activates 1 new 1`]); // prettier-ignore
  });

  it('opens a page in it, whether it runs or not', async () => {
    install('Safari', ID, 'Safari');
    const address = 'http://localhost:18099/order?a=%22';
    const options = { background: false, newInstance: false, address };
    const launched = await launch({ ...opened, bundles }, ID, options, signal);
    expect(launched).toMatchObject({ app: { id: ID, frontmost: true }, how: 'started' });
    const again = await launch({ ...opened, bundles }, ID, options, signal);
    expect(again).toMatchObject({ app: { pid: launched.app.pid }, how: 'activated' });
    expect(script.journal().filter((line) => line.startsWith('page '))).toEqual([`page ${address}`, `page ${address}`]);
  });

  it('behind what is in front leaves the focus there, and what runs alone', async () => {
    install('Notes', ID, 'Notes');
    const launched = await start(ID, true);
    expect(launched).toMatchObject({ app: { frontmost: false }, how: 'started', focus: 'kept' });
    expect(opened.windows.frontmost().app?.pid).toBe(MAIN.pid);
    expect(await start(ID, true)).toMatchObject({ how: 'running', focus: 'kept', app: { pid: launched.app.pid } });
    expect(opens()).toEqual([`open ${ID} activates 0 new 0`]);
  });

  it('gives the front back where the application takes it all the same', async () => {
    install('Notes', ID, 'Notes', OPENS.steals);
    expect(await start(ID, true)).toMatchObject({ app: { frontmost: false }, focus: 'given_back' });
    expect(opened.windows.frontmost().window?.id).toBe(String(MAIN.window));
  });

  it('of an application without windows ends once it has finished launching and answers', async () => {
    install('Bar', ID, 'Bar', OPENS.windowless);
    expect(await start(ID)).toMatchObject({ app: { id: ID }, how: 'started' });
  });

  it.each([
    ['cannot be started', OPENS.errs, 'native.not_started'],
    ['ends at once', OPENS.ends, 'native.ended_at_once'],
  ])('of one that %s is an error', async (_, mode, code) => {
    install('Notes', ID, 'Notes', mode);
    expect(await rejectionOf(start(ID))).toMatchObject({ code: 'failed', text: { code } });
  });

  it('ends with its signal where the system never answers', async () => {
    install('Notes', ID, 'Notes', OPENS.never);
    const abort = new AbortController();
    const waiting = rejectionOf(
      launch({ ...opened, bundles }, ID, { background: false, newInstance: false }, abort.signal),
    );
    await expect.poll(opens).toHaveLength(1);
    abort.abort(new Error('enough'));
    expect(await waiting).toMatchObject({ message: 'enough' });
  });
});
