/** The buttons of a request's notification, which macOS shows; on the stand-in, with the real host and an agent that asks. */
import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { TestApp } from '../support/app.js';
import { appTests } from '../support/app-tests.js';
import { eventually } from '../support/eventually.js';
import { openPage } from '../support/person.js';
import { CLICK_COPY, MAIL, NOTES } from '../support/world.js';

const { start, agent, waits, pressed } = appTests();
let app: TestApp;
const cards = () => app.running.host.menubar.cards();

/** The popover of a first start is open with the focus; a request is then in sight and causes no notification. */
async function away(platform: NodeJS.Platform): Promise<void> {
  app = await start({ platform });
  await eventually(() => app.window().isVisible()).toBe(true);
  app.window().close();
}

describe('[req:AP-A-11] the notification of a request', () => {
  test('opens the popover or denies the request on macOS, and allows nothing', async () => {
    await away('darwin');
    const work = (await agent()).call('desktop.click', CLICK_COPY);
    await waits();
    const [shown] = app.notifications;
    expect(shown?.actions.map(({ text }) => text)).toEqual(['Open', 'Deny']);
    app.window().hide();
    shown?.press('Open');
    await eventually(() => app.window().isFocused()).toBe(true);
    expect(cards()).toHaveLength(1);
    await eventually(() => {
      shown?.press('Deny');
      return cards();
    }).toEqual([]);
    expect((await work).error).toMatchObject({ details: { reason: 'denied' } });
    expect([pressed(), shown?.state]).toEqual([0, 'closed']);
  });

  test('[req:TG-1] is one for several that are shown as one, and its Deny shows them all', async () => {
    await away('darwin');
    const asking = await agent();
    const works = [MAIL, NOTES].map((route) => asking.call('desktop.observe', { route }));
    await eventually(() => cards().length).toBe(2);
    expect(new Set(cards().map(({ group }) => group)).size).toBe(1);
    expect(app.notifications).toHaveLength(1);
    app.window().hide();
    await eventually(() => {
      app.notifications[0]?.press('Deny');
      return app.window().isFocused();
    }).toBe(true);
    expect(cards()).toHaveLength(2);
    app.running.host.menubar.stop();
    await Promise.all(works);
  });

  test('opens the popover where the request is settled already', async () => {
    await away('darwin');
    const work = (await agent()).call('desktop.click', CLICK_COPY);
    await waits();
    app.running.host.menubar.stop();
    await work;
    app.window().hide();
    app.notifications[0]?.press('Deny');
    await eventually(() => app.window().isFocused()).toBe(true);
  });

  test('[req:AP-A-16] is a beep where macOS shows none of an app without a signature, and Health says so', async () => {
    app = await start({ platform: 'darwin', before: ({ app: made }) => (made.machine.team = null) });
    await eventually(() => app.window().isVisible()).toBe(true);
    app.window().close();
    expect(app.told.beeps).toBe(0);
    void (await agent()).call('desktop.click', CLICK_COPY);
    await waits();
    await eventually(() => [app.told.beeps, app.notifications.map(({ state }) => state)]).toEqual([1, ['failed']]);
    const person = await openPage(app.running.host.url, app.running.host.pairingLink());
    person.send({ type: 'check', request: randomUUID(), record: false });
    await person.match((one) => JSON.stringify(one).includes('health.no_notifications'));
    person.close();
  });

  test('has no buttons where the system shows none', async () => {
    await away('linux');
    void (await agent()).call('desktop.click', CLICK_COPY);
    await waits();
    expect(app.notifications.map(({ actions }) => actions)).toEqual([[]]);
  });
});
