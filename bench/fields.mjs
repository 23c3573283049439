/** An application of each toolkit with a line and an area to type into, which tells itself what they hold. */
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { chromium } from 'playwright';
import { lines } from './scene.mjs';

const BROWSER = process.env.CHROMIUM ?? '/usr/bin/chromium';
const PAGE =
  '<!doctype html><title>Fields</title><p><input id="line" size="40"></p><textarea id="area" cols="60" rows="12"></textarea>' +
  '<script>var later = null, shown = 0; onpointerdown = () => {' +
  'if (later !== null) setTimeout(() => (line.value = ++shown), later); later = null; };</script>';

export const KITS = { gtk3: 'GTK 3', gtk4: 'GTK 4', qt: 'Qt 5', chromium: 'Chromium' };

/**
 * Resolves `parent` (the application, as tools call it), `empty(field)`, `held(field)` and `later(ms)`; `field` is `line` or `area`. An
 * emptied field has the focus; `later`: so long after the next click the line holds the number of such clicks.
 */
export async function openFields(kit, host) {
  const fields = kit === 'chromium' ? await inChromium(host) : await inToolkit(kit, host);
  const window = await shown(host.call);
  await host.call('focus_window', { name: window.name });
  return { ...fields, pid: Number(window.name.split('/')[1]), parent: window.name.split('/').slice(0, 2).join('/') };
}

async function shown(call) {
  for (;;) {
    const { windows } = await call('list_windows');
    const found = windows.find(({ title }) => title.startsWith('Fields'));
    if (found !== undefined) return found;
    await pause(100);
  }
}

async function inToolkit(kit, { env, own }) {
  const ask = lines(`bench/peers/${kit}-fields.py`, [], env, own);
  return {
    empty: (field) => ask(`empty ${field}`),
    held: async (field) => JSON.parse(await ask(field)),
    later: (ms) => ask(`later ${ms}`),
  };
}

/** Without an address bar, which would have the focus. */
async function inChromium({ env, own, folder }) {
  const flags = ['--force-renderer-accessibility', ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])];
  const args = [...flags, `--app=data:text/html,${encodeURIComponent(PAGE)}`];
  const options = { executablePath: BROWSER, headless: false, env, args, viewport: null };
  const context = await chromium.launchPersistentContext(join(folder, 'profile'), options);
  own(() => context.close());
  const page = context.pages()[0] ?? (await context.waitForEvent('page'));
  const at = (field) => page.locator(`#${field}`);
  return {
    async empty(field) {
      await at(field).fill('');
      await at(field).focus();
    },
    held: (field) => at(field).inputValue(),
    later: (ms) => page.evaluate(`later = ${ms}`),
  };
}
