import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../lib/run.mjs';

const NOTHING = () => undefined;
/** A menu bar app with nothing but the popover. */
const SHELL = {
  showPopover: NOTHING,
  openInBrowser: NOTHING,
  openPermission: () => false,
  hotkey: { label: '⌃⌥⌘.', register: () => true, unregister: NOTHING },
  screenLock: { locked: () => false, on: () => NOTHING },
};

/** A host in this process, on a virtual desktop, as the menubar app has one: with a popover. */
export async function startAppHost(folder, own) {
  const [{ createHost }, { hostPaths }, { default: pino }] = await Promise.all([
    import(join(root, 'dist/main/host/index.js')),
    import(join(root, 'dist/main/host/discovery.js')),
    import('pino'),
  ]);
  const workspace = join(folder, 'work');
  mkdirSync(workspace, { recursive: true });
  const env = { ...process.env, CHAPERONE_HOME: join(folder, 'home') };
  const host = await createHost({
    paths: hostPaths(env),
    workspaceRoot: workspace,
    backend: 'linux',
    display: 'virtual',
    narrow: false,
    background: false,
    assets: join(root, 'dist/renderer'),
    env,
    log: pino({ level: 'error' }),
    shell: SHELL,
  });
  own(() => host.close());
  return { entry: join(root, 'dist/main/cli/index.js'), env, workspace, host };
}

/** The popover's page, in a browser in place of the app's window. */
export async function openPopover(context, host) {
  const page = await context.newPage();
  let [receive, end] = [NOTHING, NOTHING];
  await page.exposeFunction('toHost', (text) => receive(JSON.parse(text)));
  await page.exposeFunction('openHost', () => {
    // A reload opens a new connection.
    end();
    host.desk.accept({
      sendText: (text) => page.evaluate((said) => globalThis.fromHost(said), text),
      onMessage: (listener) => (receive = listener),
      onClose: (listener) => (end = listener),
      close: NOTHING,
      setLimit: NOTHING,
    });
  });
  await page.addInitScript(() => {
    globalThis.chaperone = {
      send: (text) => globalThis.toHost(text),
      onMessage(listener) {
        globalThis.fromHost = listener;
        globalThis.openHost();
      },
    };
  });
  await page.goto(host.url);
  return page;
}
