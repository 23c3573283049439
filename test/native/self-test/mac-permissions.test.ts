/** The library that the self-test asks besides the backend, as it is called. */
import { expect, it } from 'vitest';
import { permissionsAgree, readMacPermissions } from '../../../src/native/self-test/mac-permissions.js';

it('[req:MT-ST-7] is asked for the three that it reads rightly, and for nothing that raises a question', () => {
  const asked: string[] = [];
  const library = new Proxy(
    { getAuthStatus: (type: string) => (asked.push(type), type === 'screen' ? 'denied' : 'authorized') },
    { get: (target, name) => (name in target ? Reflect.get(target, name) : expect.fail(`${String(name)} was asked`)) },
  );
  expect(readMacPermissions((name) => (name === 'node-mac-permissions' ? library : expect.fail(name)))).toEqual({
    accessibility: 'authorized',
    screen: 'denied',
    listening: 'authorized',
  });
  expect(asked).toEqual(['accessibility', 'screen', 'input-monitoring']);
});

it('[req:MT-ST-7] is done without where it is not installed, was not built, or is another', () => {
  expect(readMacPermissions()).toBeNull();
  const broken = () => {
    throw new Error('Could not locate the bindings file.');
  };
  expect(readMacPermissions(broken)).toBeNull();
  expect(readMacPermissions(() => ({}))).toBeNull();
});

it.each([
  ['granted', 'granted', 'authorized', 'authorized', true],
  ['missing', 'missing', 'denied', 'not determined', true],
  ['stale', 'stale', 'authorized', 'authorized', true],
  ['granted', 'unknown', 'authorized', 'denied', true],
  ['granted', 'granted', 'denied', 'authorized', false],
  ['granted', 'missing', 'authorized', 'authorized', false],
])('[req:MT-ST-7] %s and %s are held against %s and %s', (accessibility, screenRecording, seen, screen, agrees) => {
  const found = { accessibility: seen, screen, listening: 'authorized' };
  expect(permissionsAgree(found, { accessibility, screenRecording })).toBe(agrees);
});
