/** The demo: an agent asks, the person answers, the agent finds a button, the person allows the press; application and record are checked. */
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { hasScreen, openBrowser } from '../lib/browser.mjs';
import { Stop } from '../lib/run.mjs';
import { startAgent } from './agent.mjs';
import { startApplication } from './application.mjs';
import { chaperone, startHost } from './host.mjs';
import { startPerson } from './person.mjs';

const QUESTION = 'May I press **Greet** in the demo window for you?';

/** `auto`: a script in a browser acts as the person. Resolves with the exit code. What it leaves is the evidence, in the agent's folder. */
export async function demo({ auto }) {
  const folder = mkdtempSync(join(tmpdir(), 'chaperone-demo-'));
  const closers = [() => rmSync(join(folder, 'home'), { recursive: true, force: true })];
  const own = (close) => void closers.unshift(close);
  try {
    const host = await startHost(folder, own);
    const application = await startApplication(folder, host.desktopEnv, own);
    const person = auto ? await startPerson(host.pairingLink, own) : invite(host.pairingLink);
    const agent = await startAgent(host, own);
    const executionId = await Promise.race([play({ host, application, agent }), person.failed]);
    console.log('\nEverything happened, and the application says so itself.');
    if (!auto) await showPictures(host, executionId);
    return 0;
  } finally {
    for (const close of closers) await close();
  }
}

function invite(link) {
  console.log(`\nYou are the person in charge. Open this page and answer there:\n  ${link}\n`);
  if (hasScreen()) openBrowser(link);
  return { failed: new Promise(() => undefined) };
}

/** The page is there only while the host runs. */
async function showPictures({ pairingLink }, executionId) {
  console.log(`  both pictures: ${new URL(pairingLink).origin}/#/evidence/${executionId}`);
  if (!process.stdin.isTTY) return;
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  await terminal.question('Press Enter to end the demo and its page. ');
  terminal.close();
}

async function play({ host, application, agent }) {
  const asked = await agent.call('send_message', { text: QUESTION, quick_replies: ['Yes, go on', 'No'] });
  const { reply, paired } = asked.structuredContent;
  step(paired === true && /yes|go|ok/i.test(reply), `the person answered “${reply}” in a paired page`);

  const parent = `applications/${application.pid}`;
  const found = await agent.call('find_elements', { parent, role: 'AXButton', title: 'Greet' });
  const [button] = found.structuredContent.elements;
  step(found.structuredContent.elements.length === 1, `the agent found one button: ${button?.title}`);
  step(application.greetings() === 0, 'the application has not been touched so far');

  const clicked = await agent.call('click_element', { parent, element_id: button.elementId });
  await application.greeted();
  step(application.greetings() === 1, 'the person allowed the press, and the application was pressed exactly once');
  const { effect, before, after } = clicked.structuredContent;
  step(effect === 'confirmed', `the result says what is known: effect ${effect}`);
  console.log(`  before: ${[before].flat().join('; ')}\n  after:  ${[after].flat().join('; ')}`);

  const executionId = checkEvidence(host, clicked);
  const { code, output } = await chaperone(host, ['evidence', 'verify']);
  step(code === 0, `the record is whole: ${output.split('\n')[0]}`);
  return executionId;
}

/** The pictures and the decision, in the folder the agent worked in. Returns the id of the call. */
function checkEvidence(host, result) {
  const { executionId } = result._meta['dev.chaperone/call'];
  const days = join(host.workspace, 'artifacts', 'desktop');
  const folders = existsSync(days) ? readdirSync(days).map((day) => join(days, day, executionId)) : [];
  const folder = folders.find((path) => existsSync(path));
  step(folder !== undefined, `evidence lies in ${folder ?? days}`);
  for (const name of ['before.png', 'after.png', 'result.json']) step(existsSync(join(folder, name)), `  ${name}`);
  const written = readFileSync(join(folder, 'result.json'), 'utf8');
  step(written.includes('"person"'), '  result.json names a person as the one who decided');
  return executionId;
}

function step(holds, sentence) {
  if (!holds) throw new Stop(`✗ ${sentence}: this is not so.`);
  console.log(`✓ ${sentence}`);
}
