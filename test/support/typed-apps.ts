/** One window each of GTK 3, GTK 4, Qt, Chromium, xterm and foot that takes text, on one display, and what each says it has taken. */
import { readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { LinuxDesktop, RunningApp } from './linux-desktop.js';

export const KITS = ['GTK 3', 'GTK 4', 'Qt', 'Chromium', 'xterm'] as const;
export type Kit = (typeof KITS)[number];

export interface TypedApp extends RunningApp {
  title: string;
  text(): Promise<string>;
}

const APPS = join(import.meta.dirname, 'apps');
const PAGE = `<!doctype html><meta charset="utf-8"><title>Typed into Chromium</title><textarea autofocus style="width:90vw;height:80vh"></textarea>
  <script>let times = 0; const t = document.querySelector('textarea');
  t.oninput = () => fetch('/told?' + ++times, { method: 'POST', body: t.value }); t.focus();</script>`;

/** The caller waits until its window is there. */
export async function startTyped(linux: LinuxDesktop, kit: Kit | 'foot'): Promise<TypedApp> {
  const title = `Typed into ${kit}`;
  const file = join(linux.folder, kit.replaceAll(' ', ''));
  await writeFile(file, '');
  const text = () => readFile(file, 'utf8');
  if (kit === 'Chromium') return { title: `${title} - Chromium`, ...(await startPage(linux)) };
  if (kit === 'GTK 4') return { title, text, ...linux.run(join(APPS, 'typed-gtk4.py'), [file]) };
  if (kit === 'foot') {
    const args = ['-T', title, '-o', 'locked-title=yes', join(APPS, 'typed-terminal.py'), file];
    return { title, text, ...linux.run('/usr/bin/foot', args, { LC_ALL: 'C.UTF-8' }) };
  }
  if (kit === 'xterm') {
    const args = ['-u8', '-T', title, '-e', join(APPS, 'typed-terminal.py'), file];
    return { title, text, ...linux.run('/usr/bin/xterm', args, { LC_ALL: 'C.UTF-8' }) };
  }
  const app = await linux.fixture({ kit: kit === 'Qt' ? 'qt' : 'gtk', title });
  const lastText = async () =>
    (await app.journal()).findLast(({ control, event }) => control === 'entry' && event === 'changed')?.value ?? '';
  return { title, ...app, text: lastText };
}

async function startPage(linux: LinuxDesktop): Promise<RunningApp & { text(): Promise<string> }> {
  let [times, told] = [0, ''];
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const time = Number(request.url?.split('?')[1]);
      // They come on several connections, in any order.
      if (request.method === 'POST' && time > times) [times, told] = [time, Buffer.concat(parts).toString()];
      response.setHeader('content-type', 'text/html').end(PAGE);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const flags = ['--no-sandbox', '--no-first-run', '--disable-gpu', '--force-renderer-accessibility'];
  const wayland = 'WAYLAND_DISPLAY' in linux.session.env ? ['--ozone-platform=wayland'] : [];
  const browser = linux.run('/usr/bin/chromium', [
    ...flags,
    ...wayland,
    `--user-data-dir=${linux.folder}/profile`,
    address,
  ]);
  return {
    pid: browser.pid,
    text: () => Promise.resolve(told),
    end: async () => {
      server.close();
      await browser.end();
    },
  };
}
