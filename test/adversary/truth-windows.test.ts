import { spawn } from 'node:child_process';
import sharp from 'sharp';
import { afterEach, describe, expect, test } from 'vitest';
import type { Rect } from '../../src/native/desktop.js';
import type { Card } from '../../src/main/protocol/index.js';
import type { TestAgent } from '../support/agent.js';
import { eventually } from '../support/linux-desktop.js';
import type { TestHost } from '../support/host.js';
import type { Person } from '../support/person.js';
import { withPerson } from '../support/with-person.js';

let chaperone: TestHost;
let agent: TestAgent;
let person: Person;
const ends: (() => void)[] = [];

withPerson((started) => ({ chaperone, person, agent } = started));
afterEach(() => {
  for (const end of ends.splice(0)) end();
});

interface Listed {
  elementId: string;
  title: string;
  frame: Rect;
}

async function look(name: string, args: Record<string, unknown> = {}): Promise<Record<string, unknown>> {
  const answer = await agent.call(name, args);
  if (answer.isError) throw new Error(answer.text);
  return answer.value;
}

async function acting(name: string, args: Record<string, unknown>) {
  const work = agent.call(name, args);
  const card = await person.answer('allow');
  return { card, answer: await work };
}

/** Galculator with the tooltip of “MS” over “9”, the button below it. */
async function calculator(): Promise<{ nine: Listed; display(): Promise<string> }> {
  const child = spawn('galculator', [], {
    env: { ...chaperone.host.desktopEnv, PATH: '/usr/bin:/bin' },
    stdio: 'ignore',
  });
  ends.push(() => child.kill('SIGKILL'));
  const parent = `applications/${child.pid ?? 0}`;
  const button = async (title: string): Promise<Listed> => {
    const { element } = await look('wait_element', { parent, title, timeout: 20 });
    return element as Listed;
  };
  const nine = await button('9');
  const above = await button('MS');
  await acting('hover', { x: above.frame.x + 30, y: above.frame.y + 20, duration: 0.1 });
  await eventually(async () => {
    const { windows } = (await look('list_windows', { parent })) as { windows: { frame: Rect }[] };
    const tip = windows.find(({ frame }) => frame.height < 80);
    if (tip === undefined || tip.frame.y + tip.frame.height < nine.frame.y + nine.frame.height / 2) throw new Error(`no tooltip over 9: ${JSON.stringify(windows)}`); // prettier-ignore
  });
  const display = async () => {
    const { elements } = (await look('find_elements', { parent, role: 'AXTextArea' })) as {
      elements: { value: string }[];
    };
    return elements[0]?.value ?? '';
  };
  return { nine, display };
}

/** How wide what the card shows is: a tooltip is narrower than the calculator’s window. */
async function greys(card: Card): Promise<number> {
  const { picture } = card;
  if (picture?.target == null) throw new Error('the card has no picture with a target');
  const { x, y, width, height } = picture.target;
  const area = { left: Math.round(x), top: Math.round(y), width: Math.round(width), height: Math.round(height) };
  // Statistics are of what is given, whatever was asked of it before: the part is made a picture of its own.
  const part = await sharp(Buffer.from(picture.base64, 'base64')).extract(area).png().toBuffer();
  const { channels } = await sharp(part).stats();
  return channels[0]?.mean ?? 0;
}

describe('a tooltip lies over what an agent wants to touch', () => {
  test('[req:TR-1] [req:TR-2] the card shows the window of the element, and says that a tooltip covers it', async () => {
    const { nine, display } = await calculator();
    const { card, answer } = await acting('click_element', { element_id: nine.elementId });
    expect(card).toMatchObject({
      subject: { target: '9', app: 'Galculator' },
      notes: [{ code: 'note.covered_by_popup', params: { app: 'Galculator' } }],
    });
    // The tooltip of GTK's own theme is nearly black, its buttons are nearly white.
    expect(await greys(card)).toBeGreaterThan(150);
    expect(answer.isError, answer.text).toBe(false);
    await eventually(async () => expect(await display()).toBe('9'));
  });

  test('[req:TR-2] a click at that point is refused, with what covers it', async () => {
    const { nine, display } = await calculator();
    const at = {
      x: nine.frame.x + Math.round(nine.frame.width / 2),
      y: nine.frame.y + Math.round(nine.frame.height / 2),
    };
    const answer = await agent.call('click', at);
    expect(answer.isError).toBe(true);
    expect(answer.text).toContain('DESKTOP_TARGET_CHANGED');
    expect(answer.text).toContain('covered by a popup of Galculator');
    expect(await display()).toBe('0');
  });
});
