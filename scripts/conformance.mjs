/**
 * `npm run conformance [-- FOLDER]`: MCP's own conformance suite against the HTTP door, with fixture tools in place of the desktop's.
 * The suite and the Node that it needs are installed from the npm registry (about 150 MB) into FOLDER, else into a temporary one that
 * is removed. Fails where a scenario fails that applies, and where one passes that is listed as not applying.
 */
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';

import { serveFixtures } from './conformance/server.mjs';
import { Stop, main, run } from './lib/run.mjs';
import { setup } from './setup.mjs';

const PACKAGES = ['@modelcontextprotocol/conformance@0.1.16', 'node@22.23.3'];

/** Why a scenario cannot pass here. */
const NOT_APPLYING = new Map([
  ['tools-call-with-logging', 'log messages carry observations only; tools send none'],
  ['server-sse-polling', 'a stream is never closed before its answer'],
  ['tools-call-sampling', 'no model is asked of the client'],
  ...['tools-call-elicitation', 'elicitation-sep1034-defaults', 'elicitation-sep1330-enums'].map((name) => [
    name,
    'the client is shown questions to the person only, whose form is always the same: a choice and a text',
  ]),
  ...['prompts-get-embedded-resource', 'prompts-get-with-image'].map((name) => [name, 'prompts are words only']),
]);

async function install(folder) {
  mkdirSync(folder, { recursive: true });
  if (existsSync(join(folder, 'node_modules/.bin/conformance'))) return;
  const args = ['install', '--prefix', folder, '--no-audit', '--no-fund', '--loglevel=error', ...PACKAGES];
  const { code } = await run('npm', args);
  if (code !== 0) throw new Stop('The suite could not be installed; the lines above say why.');
}

/** Each scenario by itself: one that fails leaves its connections open until its process ends. Resolves with how many went otherwise than listed. */
async function runSuite(folder, url) {
  const bin = join(folder, 'node_modules/.bin');
  const env = { ...process.env, PATH: `${bin}${delimiter}${process.env.PATH}` };
  const suite = (...args) => run(join(bin, 'conformance'), args, { env, cwd: folder, capture: true });
  const { output: list } = await suite('list', '--server');
  const names = [...list.matchAll(/^ +- (\S+) \[/gm)].map(([, name]) => name);
  if (names.length === 0) throw new Stop(`The suite lists no scenarios:\n${list}`);
  const gone = [...NOT_APPLYING.keys()].filter((name) => !names.includes(name));
  for (const name of gone) console.log(`LISTED, BUT NOT THERE  ${name}`);
  let wrong = gone.length;
  for (const name of names) {
    const { code, output } = await suite('server', '--url', url, '--scenario', name);
    const why = NOT_APPLYING.get(name);
    if ((code === 0) === (why === undefined))
      console.log(why === undefined ? `passed          ${name}` : `does not apply  ${name}: ${why}`);
    else {
      wrong += 1;
      console.log(`${code === 0 ? 'PASSED, BUT LISTED' : 'FAILED'}  ${name}\n${output}`);
    }
  }
  console.log(`${names.length - NOT_APPLYING.size} scenarios apply; ${wrong} went otherwise than listed`);
  return wrong === 0 ? 0 : 1;
}

await main(async ([given]) => {
  await setup({ test: true });
  const folder = given === undefined ? mkdtempSync(join(tmpdir(), 'chaperone-conformance-')) : resolve(given);
  const served = await serveFixtures();
  try {
    await install(folder);
    return await runSuite(folder, served.url);
  } finally {
    await served.close();
    if (given === undefined) rmSync(folder, { recursive: true, force: true });
  }
});
