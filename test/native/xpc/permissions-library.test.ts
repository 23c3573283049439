/** The library that asks for the screen in the app, and that the self-test reads besides the backend, as it is called. */
import { expect, it } from 'vitest';
import { loadPermissionsLibrary } from '../../../src/native/xpc/index.js';
import { permissionsAgree } from '../../../src/native/self-test/types.js';

const file = (name: string) => name.endsWith(`native-addon/${process.platform}-${process.arch}/permissions.node`);

it('[req:MT-ST-7] is asked for the three that it reads rightly, and for nothing that raises a question', () => {
  const asked: unknown[] = [];
  const native = new Proxy(
    {
      getAuthStatus: (type: string) => (asked.push(type), type === 'screen' ? 'denied' : 'authorized'),
      askForScreenCaptureAccess: (opensPane: boolean) => void asked.push(opensPane),
    },
    { get: (target, name) => (name in target ? Reflect.get(target, name) : expect.fail(`${String(name)} was asked`)) },
  );
  const library = loadPermissionsLibrary((name) => (file(name) ? native : expect.fail(name)));
  expect(library?.read()).toEqual({ accessibility: 'authorized', screen: 'denied', listening: 'authorized' });
  expect(asked).toEqual(['accessibility', 'screen', 'input-monitoring']);
  library?.askForScreen();
  expect(asked.at(-1)).toBe(false);
});

it('[req:MT-ST-7] is done without where it was not built, does not load, or is another', () => {
  expect(loadPermissionsLibrary()).toBeNull();
  const broken = () => {
    throw new Error('wrong architecture');
  };
  expect(loadPermissionsLibrary(broken)).toBeNull();
  expect(loadPermissionsLibrary(() => ({}))).toBeNull();
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
