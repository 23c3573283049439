import { randomUUID } from 'node:crypto';
import sharp from 'sharp';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Picture } from '../../../src/main/protocol/index.js';
import type { Rect } from '../../../src/native/desktop.js';
import { settle, type Person } from '../../support/person.js';
import { CLICK_SEND, startScene, type Scene } from '../../support/world.js';
import { openGabp } from '../../support/gabp.js';

let scene: Scene;
beforeEach(async () => {
  scene = await startScene();
});
afterEach(() => scene.close());

const soon = () => AbortSignal.timeout(10_000);

async function ask(person: Person, id: string) {
  const request = randomUUID();
  person.send({ type: 'cardPicture', request, id });
  return person.match((one) => ('request' in one && one.request === request) || (one.type === 'error' && one.about === request)); // prettier-ignore
}

async function pictureOf(person: Person, id: string): Promise<Picture> {
  const answer = await ask(person, id);
  if (answer.type !== 'cardPicture' || answer.picture === null) throw new Error(JSON.stringify(answer).slice(0, 300));
  return answer.picture;
}

/** How much the middle of an area varies, of 255: pictures are lossy, so that nothing is quite one colour. */
async function variation(picture: Picture, { x, y, width, height }: Rect): Promise<number> {
  const part = { left: x + 4, top: y + 4, width: width - 8, height: height - 8 };
  // What is counted is the input, before anything is cut out of it.
  const cut = await sharp(Buffer.from(picture.base64, 'base64')).extract(part).png().toBuffer();
  const { channels } = await sharp(cut).stats();
  return Math.max(...channels.map(({ stdev }) => stdev));
}
const PLAIN = 3;

describe('[req:AP-C-4] the closer look at a real card', () => {
  it('is the whole window with its target, for a paired page only, until the card is decided', async () => {
    const work = scene.rpc.call('desktop.click', CLICK_SEND);
    const { approval } = await scene.person.next('approvalRequested');
    const window = (await scene.desktop.windows(soon())).find(({ title }) => title === approval.window);
    const picture = await pictureOf(scene.person, approval.id);
    expect(picture).toMatchObject({ width: window?.frame.width, height: window?.frame.height });
    expect(picture.height).toBeGreaterThan(approval.picture?.height ?? 0);
    const found = await scene.desktop.find(
      { pid: window?.app.pid ?? 0 },
      { identifier: 'send' },
      1,
      { maxDepth: 20, maxNodes: 500, timeoutMs: 5_000 },
      soon(),
    );
    const frame = found.elements[0]?.frame;
    expect(picture.target).toEqual({
      x: (frame?.x ?? 0) - (window?.frame.x ?? 0),
      y: (frame?.y ?? 0) - (window?.frame.y ?? 0),
      width: frame?.width,
      height: frame?.height,
    });
    const stranger = await scene.page();
    expect(await ask(stranger, approval.id)).toMatchObject({ type: 'error', code: 'pairing_needed' });
    await settle(scene.person, approval, 'deny');
    await work;
    expect(await ask(scene.person, approval.id)).toMatchObject({ type: 'error', code: 'unknown_card' });
  });

  it('covers what agents may not see', async () => {
    const [secret] = await scene.desktop.secureAreas(soon());
    const notes = (await scene.desktop.windows(soon())).find(({ app }) => app.id === 'simulated.notes');
    if (secret === undefined || notes === undefined) throw new Error('the simulated desktop has a password and notes');
    const gabp = await openGabp(scene);
    const look = async () => {
      const work = gabp.tool('capture_screenshot');
      const { approval } = await scene.person.next('approvalRequested');
      const picture = await pictureOf(scene.person, approval.id);
      await settle(scene.person, approval, 'deny');
      await work;
      return picture;
    };
    const before = await look();
    expect(await variation(before, secret)).toBeLessThan(PLAIN);
    expect(await variation(before, notes.frame)).toBeGreaterThan(4 * PLAIN);
    scene.person.send({ type: 'exclude', appId: 'simulated.notes', on: true });
    await scene.person.next('policy');
    expect(await variation(await look(), notes.frame)).toBeLessThan(PLAIN);
    gabp.close();
  });
});
