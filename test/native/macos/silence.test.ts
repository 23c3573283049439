import { expect, it } from 'vitest';
import { PROTOTYPES } from '../../../src/native/macos/calls/libraries.js';

/** Functions of the system that ask the person something. */
const ASKS = /^(AXIsProcessTrustedWithOptions|CGRequest\w+Access|IOHIDRequestAccess|CGDisplayStream\w*)$/;

it('[req:MP-4] nothing is bound that asks the person for a permission', () => {
  const bound = Object.values(PROTOTYPES).flatMap((table) => Object.keys(table));
  expect(bound).toContain('AXIsProcessTrusted');
  expect(bound.filter((name) => ASKS.test(name))).toEqual([]);
});
