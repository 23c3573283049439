/** Password fields that come, move and go in real applications, drawn in magenta: in each picture all of it is masked. */
import { type ChildProcess, spawn } from 'node:child_process';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { contains } from '../../../src/base/rect.js';
import type { Capture, Point, Rect } from '../../../src/native/desktop.js';
import { eventually, type LinuxDesktop, openLinuxDesktop } from '../../support/linux-desktop.js';

/** What each step leaves on the screen, in the order in which they are taken. */
const STEPS = [
  ['add', true],
  ['move', true],
  ['remove', false],
  ['tab', true],
  ['back', false],
  ['add', true],
  ['tab', true],
] as const;
const PAGE = `<!doctype html><title>Password steps</title><body>
  <div id="plain" style="position: absolute; top: 40px"></div>
  <div id="secret" style="position: absolute; top: 200px; left: 90px; display: none"></div>
  <script>
    const password = () => {
      const field = document.createElement('input');
      field.type = 'password';
      field.value = 'magenta';
      field.style = 'position: absolute; background: #ff00ff; color: #ff00ff; border: 0; width: 160px; height: 30px';
      return field;
    };
    secret.append(password());
    const shown = (first) => { plain.hidden = !first; secret.style.display = first ? 'none' : 'block'; };
    const steps = {
      add: () => plain.append(password()),
      move: () => { plain.firstChild.style.left = '300px'; },
      remove: () => plain.firstChild.remove(),
      tab: () => shown(false),
      back: () => shown(true),
    };
    new EventSource('/steps').onmessage = ({ data }) => {
      steps[data]();
      requestAnimationFrame(() => requestAnimationFrame(() => fetch('/drawn/' + data)));
    };
  </script>`;
const APPS = new URL('../../support/apps/', import.meta.url).pathname;
const signal = new AbortController().signal;
let linux: LinuxDesktop;

beforeAll(async () => {
  linux = await openLinuxDesktop();
});
afterAll(() => linux.close());

interface Steps {
  /** Resolves when the application has drawn the step. */
  take(step: string): Promise<void>;
  end(): Promise<void>;
}

async function openSteps(program: string): Promise<Steps> {
  const child = spawn(join(APPS, program), { env: linux.session.env, stdio: ['pipe', 'pipe', 'ignore'] });
  const drawn = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  await linux.window(({ title, app }) => title === 'Password steps' && app.pid === child.pid);
  return {
    take: async (step) => {
      child.stdin.write(`${step}\n`);
      expect((await drawn.next()).value).toBe(step);
    },
    end: () => ended(child),
  };
}

async function openPage(): Promise<Steps> {
  let stream: ServerResponse | null = null;
  let drawn: () => void = () => {};
  const server = createServer((request, response) => {
    if (request.url === '/steps') stream = response.writeHead(200, { 'content-type': 'text/event-stream' });
    else response.setHeader('content-type', 'text/html').end(request.url === '/' ? PAGE : '');
    if (request.url?.startsWith('/drawn/') === true) drawn();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const flags = ['--no-sandbox', '--no-first-run', '--disable-gpu', '--force-renderer-accessibility'];
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const profile = `--user-data-dir=${join(linux.folder, 'profile')}`;
  const child = spawn('chromium', [...flags, profile, address], { env: linux.session.env, stdio: 'ignore' });
  await linux.window(({ title }) => title.startsWith('Password steps'));
  await eventually(() => Promise.resolve(expect(stream).not.toBeNull()));
  return {
    take: (step) =>
      new Promise((resolve) => {
        drawn = resolve;
        stream?.write(`data: ${step}\n\n`);
      }),
    end: async () => {
      await ended(child);
      server.closeAllConnections();
      server.close();
    },
  };
}

const ended = (child: ChildProcess): Promise<void> =>
  new Promise((resolve) => {
    child.once('exit', () => resolve());
    child.kill('SIGKILL');
  });

/** The pixels of password fields in one picture, and those of them that a mask covers. */
async function look(): Promise<{ drawn: number; covered: number; areas: Rect[] }> {
  const before = await linux.desktop.secureAreas(signal);
  const picture = await linux.desktop.capture({ kind: 'display' }, signal);
  const areas = await linux.desktop.secureAreas(signal);
  const drawn = magentaIn(picture);
  const masks = [...before, ...areas];
  return { drawn: drawn.length, covered: drawn.filter((at) => masks.some((mask) => contains(mask, at))).length, areas };
}

function magentaIn({ rgb, width, origin }: Capture): Point[] {
  const found: Point[] = [];
  for (let at = 0; at < rgb.length; at += 3) {
    if (rgb[at] !== 255 || rgb[at + 1] !== 0 || rgb[at + 2] !== 255) continue;
    const pixel = at / 3;
    found.push({ x: origin.x + (pixel % width), y: origin.y + Math.floor(pixel / width) });
  }
  return found;
}

describe('[req:LI-3] a password field that comes, moves and goes is masked in the very next picture', () => {
  it.each([
    ['GTK 3', () => openSteps('password-steps-gtk.py')],
    ['GTK 4', () => openSteps('password-steps-gtk4.py')],
    ['Qt', () => openSteps('password-steps-qt.py')],
    ['Chromium', openPage],
  ])('in %s', { timeout: 120_000 }, async (kit, open) => {
    const steps = await open();
    try {
      expect(await look()).toEqual({ drawn: 0, covered: 0, areas: [] });
      for (const [step, shown] of STEPS) {
        await steps.take(step);
        const check = async (): Promise<void> => {
          const { drawn, covered, areas } = await look();
          expect([step, drawn > 1000, drawn - covered]).toEqual([step, shown, 0]);
          if (step === 'remove') expect(areas).toEqual([]);
        };
        // Chromium draws a change before its accessibility tree has it.
        await (kit === 'Chromium' ? eventually(check) : check());
      }
    } finally {
      await steps.end();
    }
  });
});
