import { describe, expect, test } from 'vitest';
import type { Gabp } from '../support/gabp.js';
import { settle, type Person } from '../support/person.js';
import { CLICK_SEND, type Scene, eachScene } from '../support/world.js';

let scene: Scene;
let agent: Gabp;
eachScene((made) => ({ scene, agent } = made));

describe('a page that goes while a card is open', () => {
  test('loses nothing: the next one shows the card and its answer acts once', async () => {
    const call = scene.rpc.call('desktop.click', CLICK_SEND);
    const { approval } = await scene.person.next('approvalRequested');
    scene.person.close();
    await scene.person.ended;
    const again = await scene.page(scene.host.pairingLink());
    expect(again.seen.findLast(({ type }) => type === 'connected')).toMatchObject({
      role: 'paired',
      approvals: [{ id: approval.id, digest: approval.digest, orphaned: false }],
    });
    await settle(again, approval, 'allow');
    expect((await call).result).toMatchObject({ clicked: true });
    expect(
      scene.world.journal().filter(({ control, event }) => control === 'send' && event === 'pressed'),
    ).toHaveLength(1);
  });

  test('is not missed by the others: what one decides ends the card in all [req:DS-7-2] [req:DS-7-7]', async () => {
    const other = await scene.page(scene.host.pairingLink());
    const call = scene.rpc.call('desktop.click', CLICK_SEND);
    const { approval } = await scene.person.next('approvalRequested');
    await other.next('approvalRequested', (one) => one.approval.id === approval.id);
    await settle(other, approval, 'deny', { message: 'not now' });
    expect(await scene.person.next('approvalResolved')).toMatchObject({ id: approval.id, decision: 'deny' });
    scene.person.send({ type: 'approval', id: approval.id, digest: approval.digest, decision: 'allow' });
    expect(await scene.person.next('error')).toMatchObject({ code: 'settled', about: approval.id });
    expect((await call).error).toMatchObject({ details: { reason: 'denied', message: 'not now' } });
  });
});

describe('many pages', () => {
  test('one that never reads is let go, and a fast one misses nothing', async () => {
    const slow = await scene.page(scene.host.pairingLink());
    const wake = slow.stall();
    const image = { mimeType: 'image/png' as const, base64: 'A'.repeat(3_900_000) };
    for (let round = 0; round < 10; round += 1) {
      const asking = agent.tool('send_message', { text: `Picture ${round}?` });
      const asked = await scene.person.next('agentMessage');
      scene.person.send({ type: 'ack', id: asked.ack_id, message: `here ${round}`, images: [image] });
      await scene.person.next('userMessage', ({ ack_id }) => ack_id === asked.ack_id);
      // With a picture there is no structured part: clients drop the words then.
      const { content } = await asking;
      expect(JSON.stringify(content.filter(({ type }) => type === 'text'))).toContain(`here ${round}`);
      expect(content.filter(({ type }) => type === 'image')).toHaveLength(1);
    }
    wake();
    await slow.ended;
    expect(slow.seen.filter(({ type }) => type === 'userMessage').length).toBeLessThan(10);
  });

  test('paired ones hear every question in a crowd of 200, one answer settles it in all, and none of them is pushed out [req:CH-3-3] [req:CH-5-1]', async () => {
    const pages: Person[] = [];
    while (pages.length < 30) pages.push(await scene.page(scene.host.pairingLink()));
    const crowd = await Promise.all(Array.from({ length: 170 }, () => scene.page()));
    const asking = agent.tool('send_message', { text: 'Anyone?' });
    const asked = await Promise.all(pages.map((page) => page.next('agentMessage')));
    expect(new Set(asked.map(({ ack_id }) => ack_id)).size).toBe(1);
    await scene.person.reply('one of us');
    const answers = await Promise.all(pages.map((page) => page.next('userMessage')));
    expect(new Set(answers.map(({ text, seq }) => `${seq} ${text}`)).size).toBe(1);
    expect((await asking).structuredContent).toMatchObject({ reply: 'one of us', paired: true });
    // They are of the agent's own program.
    expect(crowd.flatMap(({ seen }) => seen.map(({ type }) => type)).filter((type) => type !== 'connected')).toEqual(
      [],
    );

    await Promise.all(Array.from({ length: 50 }, () => scene.page()));
    await Promise.race(crowd.map((page) => page.ended));
    const call = scene.rpc.call('desktop.click', CLICK_SEND);
    await Promise.all(pages.map((page) => page.next('approvalRequested')));
    await scene.person.answer('allow');
    expect((await call).result).toMatchObject({ clicked: true });
  }, 180_000);
});
