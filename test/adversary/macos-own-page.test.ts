/** Chaperone's own page in the browsers of a Mac: refused and masked in whatever pane it shows. On the stand-ins, through host and shim. */
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import type { TestAgent } from '../support/agent.js';
import type { TestHost } from '../support/host.js';
import type { Mac } from '../support/macos/mac.js';
import { macTools } from '../support/macos/mac-tools.js';
import { addApp, addControl, addWindow, at } from '../support/macos/scene.js';
import { MODE } from '../support/macos/standin.js';
import { cardOf, settle, type Person } from '../support/person.js';

const PID = 5_000_640;
const NUMBER = 910;
const WINDOW = at(700, 100, 700, 500);
const LEFT = at(710, 150, 330, 440);
const RIGHT = at(1050, 150, 340, 440);
const WEATHER = 'https://weather.example/';

let mac: Mac;
let chaperone: TestHost;
let person: Person;
let agent: TestAgent;

macTools((made) => ({ mac, chaperone, person, agent } = made));

/** A browser with two panes, of which the right one shows `url`. */
function browse(name: string, url: string | null, pid = PID): void {
  const { script } = mac;
  const app = addApp(script, { pid, name, bundle: `com.example.${name.replace(' ', '')}` });
  const window = addWindow(script, { app, pid, number: NUMBER, title: 'My weather', frame: WINDOW });
  const pane = (frame: typeof LEFT, address: string | null, button: string): void => {
    const page = addControl(script, addControl(script, window, { role: 'AXGroup', frame }), { role: 'AXWebArea', frame });
    if (address !== null) script.text(page, 'AXURL', address, 0);
    const place = at(frame.x + 20, frame.y + 20, 100, 30);
    addControl(script, page, { role: 'AXButton', title: button, frame: place, actions: { AXPress: MODE.does } });
  }; // prettier-ignore
  pane(LEFT, WEATHER, 'Refresh');
  pane(RIGHT, url, 'Allow');
  script.raise(NUMBER);
  script.setFront(pid);
  script.focus(pid, window, 0);
}
const pressed = (): string[] => mac.script.journal().filter((line) => /AXPress|down at/.test(line));
const cards = (): unknown[] =>
  person.seen.filter((one) => one.type === 'approvalRequested' && one.approval.effect !== 'disclose');
/** The colours of the window in a picture of the display. */
async function coloursOfWindow(): Promise<number> {
  const { images } = await agent.call('capture_screenshot', {});
  const { data, info } = await sharp(Buffer.from(images[0]?.data ?? '', 'base64')).removeAlpha().raw().toBuffer({ resolveWithObject: true }); // prettier-ignore
  const scale = info.width / 1440;
  const colours = new Set<string>();
  for (let y = WINDOW.y + 4; y < WINDOW.y + WINDOW.height - 4; y += 7)
    for (let x = WINDOW.x + 4; x < WINDOW.x + WINDOW.width - 4; x += 7) {
      const from = (Math.round(y * scale) * info.width + Math.round(x * scale)) * info.channels;
      colours.add(data.subarray(from, from + 3).toString('hex'));
    }
  return colours.size;
}

describe.each(['Safari', 'Google Chrome', 'Firefox'])('[req:MW-3] the page in a pane of %s', (name) => {
  test('takes no input, nor does anything beside it in that window', async () => {
    browse(name, `${chaperone.host.url}/#home`);
    const before = cards().length;
    for (const [x, y] of [[RIGHT.x + 40, RIGHT.y + 30], [LEFT.x + 40, LEFT.y + 30]] as const) {
      const answer = await agent.call('click', { x, y });
      expect(answer).toMatchObject({ isError: true, text: expect.stringContaining('protected') });
    } // prettier-ignore
    for (const title of ['Allow', 'Refresh'])
      expect(await agent.call('click_element', { parent: `applications/${PID}`, title })).toMatchObject({ isError: true }); // prettier-ignore
    expect(await agent.call('press_key', { key: 'space' })).toMatchObject({ isError: true });
    expect([pressed(), cards().length]).toEqual([[], before]);
  });

  test('is in no tree, no list and no picture', async () => {
    browse(name, `http://127.0.0.1:${new URL(chaperone.host.url).port}/`);
    const seen = await Promise.all([
      agent.call('list_windows', {}),
      agent.call('get_element_tree', { parent: `applications/${PID}` }),
      agent.call('find_elements', { parent: `applications/${PID}`, title: 'Allow' }),
      agent.call('find_region_elements', { ...RIGHT }),
    ]);
    expect(JSON.stringify(seen.map(({ text, value }) => [text, value]))).not.toMatch(/"Allow"|127\.0\.0\.1|My weather/);
    expect(await coloursOfWindow()).toBe(1);
  });

  test('is no other page: that is used and seen as ever', async () => {
    browse(name, 'https://localhost.example/');
    expect(await coloursOfWindow()).toBeGreaterThan(1);
    const running = agent.call('click_element', { parent: `applications/${PID}`, title: 'Refresh' });
    await settle(person, await cardOf(person, running), 'allow');
    expect((await running).isError).not.toBe(true);
    expect(pressed()).toHaveLength(1);
  });
});
