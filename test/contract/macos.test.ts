import { LAUNCHABLE, openMac } from '../support/macos/mac.js';
import { describeDesktop } from './desktop-contract.js';
import type { Fixture } from './fixture.js';

const NOT_YET = [
  'does not take its own input for the person’s, and hears the person',
  'says that it is worth looking again when an element changed, in the right process or in any',
  'says so when a window moved, was minimised, came and went',
  'says nothing more to who has stopped listening, and goes on telling others',
];

describeDesktop('macos, on stand-in libraries', openFixture, { tellsPaints: false, notYet: NOT_YET });

async function openFixture(): Promise<Fixture> {
  const mac = await openMac();
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
    personMoves: null,
    lose: async () => mac.lose(),
    close: mac.close,
  };
}
