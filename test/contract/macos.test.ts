import { LAUNCHABLE, openMac } from '../support/macos/mac.js';
import { describeDesktop } from './desktop-contract.js';
import type { Fixture } from './fixture.js';

/** Objects are of a real Objective-C runtime and Foundation here. */
describeDesktop('[req:MA-4] macos, on stand-in libraries', openFixture, { tellsPaints: false });

async function openFixture(): Promise<Fixture> {
  const mac = await openMac('gnustep');
  return {
    desktop: mac.desktop,
    shortcut: 'cmd',
    launchable: LAUNCHABLE,
    // Without the menu bar.
    roomOf: ({ frame }) => ({ ...frame, y: frame.y + 25, height: frame.height - 25 }),
    dropsFiles: false,
    start: mac.start,
    controls: async () => mac.controls(),
    rows: async () => mac.rows(),
    endLaunched: async (pid) => mac.endApp(pid),
    personMoves: async ({ x, y }) => void mac.script.personMoves(x, y),
    lose: async () => mac.lose(),
    close: mac.close,
  };
}
