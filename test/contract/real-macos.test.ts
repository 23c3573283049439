/** The suite on the libraries of a real Mac: scripts/hosted-mac.mjs compiles the application that it needs, and runs it. */
import { describe } from 'vitest';
import { openRealMac } from '../support/macos/real-mac.js';
import { describeDesktop } from './desktop-contract.js';

const program = process.env['CHAPERONE_APPKIT_FIXTURE'] ?? '';

describe.skipIf(program === '')('a real Mac', () => {
  describeDesktop('macos, AppKit', () => openRealMac(program), { tellsPaints: false });
});
