/** A window of the Finder as a list, and a question for a password: what the document and the calculator do not have. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { poll } from '../../base/poll.js';
import { EVENTS, jxa, pidsOf, pointOf, processOf, sizeOf, windowsOf, type RunProgram } from './mac-scripts.js';
import type { Witness } from './types.js';

type Names = 'openRows' | 'selectedRows' | 'isUnfolded' | 'scrolledRows' | 'openPassword' | 'closePassword';

const OPEN_MS = 10_000;
const FILES = 60;
/** It goes away by itself, so that nothing has to be pressed in it. */
const DIALOG_S = 6;
const FOLDING = 'folder';

export function createMacRows(
  run: RunProgram,
  signal: AbortSignal,
): { witness: Pick<Witness, Names>; close(): Promise<void> } {
  let opened: { pid: number; folder: string; title: string } | null = null;
  let dialog: Promise<unknown> = Promise.resolve();
  const finder = (script: string): Promise<unknown> => jxa(run, `const finder = Application('Finder'); ${script}`);
  const titled = (title: string): string => `finder.finderWindows.whose({ name: ${JSON.stringify(title)} })[0]`;

  return {
    witness: {
      async openRows() {
        const folder = await mkdtemp(join(tmpdir(), 'chaperone-self-test-'));
        const title = basename(folder);
        const pid = (await pidsOf(run, 'Finder')).at(0) ?? 0;
        opened = { pid, folder, title };
        await mkdir(join(folder, FOLDING));
        await writeFile(join(folder, FOLDING, 'inside.txt'), '');
        const names = Array.from({ length: FILES }, (_, index) => `row ${String(index + 1).padStart(2, '0')}.txt`);
        for (const name of names) await writeFile(join(folder, name), '');
        await run(['/usr/bin/open', '-a', 'Finder', folder]);
        const shown = async () => (await windowsOf(run, pid)).find((one) => one.title === title) ?? null;
        if ((await poll(shown, OPEN_MS, signal, 200)) === null) throw new Error('not_opened:Finder');
        await finder(`${titled(title)}.currentView = 'list view'; return null;`);
        return { pid, title, row: names[0] ?? '', folding: FOLDING, last: names.at(-1) ?? '' };
      },
      async selectedRows() {
        const names = await finder('return finder.selection().map((each) => each.name());');
        return Array.isArray(names) ? names.map(String) : [];
      },
      async isUnfolded() {
        const inside = `${titled(opened?.title ?? '')}.target.folders.byName('${FOLDING}')`;
        return (await finder(`return ${inside}.expanded();`)) === true;
      },
      scrolledRows: async () => Number(await jxa(run, scrolledScript(opened?.pid ?? 0, opened?.title ?? ''))),
      async openPassword() {
        const script = `display dialog "Chaperone" default answer "" with hidden answer giving up after ${DIALOG_S}`;
        dialog = run(['/usr/bin/osascript', '-e', script]).catch(() => undefined);
        const shown = async () => jxa(run, PASSWORD).catch(() => null);
        const field = await poll(shown, OPEN_MS, signal, 200);
        if (!Array.isArray(field)) throw new Error('not_opened:password');
        return { ...pointOf(field[0]), ...sizeOf(field[1]) };
      },
      closePassword: async () => void (await dialog),
    },
    async close() {
      await dialog;
      if (opened === null) return;
      const { folder, title } = opened;
      opened = null;
      await finder(`${titled(title)}.close(); return null;`).catch(() => undefined);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

const PASSWORD = `${EVENTS} const field = events.processes.byName('osascript').windows[0].textFields[0];
  return [field.position(), field.size()];`;

/** Of all scroll bars together: which of them is that of the rows differs between systems. */
const scrolledScript = (pid: number, title: string): string => `${processOf(pid)}
  const all = one.windows.byName(${JSON.stringify(title)}).entireContents();
  const bars = all.filter((each) => /scrollBars[^.]*$/.test(Automation.getDisplayString(each)));
  return bars.reduce((sum, each) => sum + (each.value() || 0), 0);`;
