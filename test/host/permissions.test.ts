/** Permissions as the person meets them, on a fake source that counts the questions which looking would raise. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createAttention } from '../../src/main/agents/attention.js';
import { watchHealth, type HealthWatch } from '../../src/main/host/health.js';
import type { Health } from '../../src/main/protocol/index.js';
import { inEnglish, verbatim } from '../../src/messages/index.js';
import {
  DesktopError,
  type AutomationGrant,
  type DesktopBackend,
  type Permission,
  type PermissionState,
} from '../../src/native/desktop.js';

let health: HealthWatch;
let states: Record<Permission, PermissionState>;
let looked: number;
let automation: () => Promise<AutomationGrant[]>;
const attention = createAttention();
const seen: (Health | null)[] = [];

beforeEach(async () => {
  vi.useFakeTimers();
  seen.length = 0;
  looked = 0;
  automation = async () => [];
  states = { accessibility: 'missing', screenRecording: 'stale' };
  const desktop: Pick<DesktopBackend, 'permissions' | 'automation' | 'platform' | 'version' | 'onLost'> = {
    platform: 'macos',
    version: 'macOS 15.3.1',
    onLost: () => () => undefined,
    automation: () => automation(),
    async permissions() {
      looked += 1;
      return { ...states };
    },
  };
  health = watchHealth({
    grantee: { name: 'Terminal', path: '/Applications/Terminal.app' },
    desktop,
    version: '1',
    backend: 'macos',
    display: 'Built-in',
    note: null,
    harmless: false,
    attention,
    log: (thrown: unknown) => expect.fail(String(thrown)),
  });
  health.on((now) => seen.push(now));
  await health.refresh();
});
afterEach(() => {
  health.close();
  vi.useRealTimers();
});

const told = () => health.now()?.issues.map(({ title, fix }) => `${inEnglish.format(title)}: ${inEnglish.format(fix)}`);

test('[req:MP-1] [req:MP-6] missing and stale are told apart, each with its own way out, for the program that the settings list', () => {
  expect(health.now()).toMatchObject({ permissions: states, system: 'macos', grantee: { name: 'Terminal' } });
  expect(told()).toEqual([
    expect.stringMatching(/^Accessibility is missing: .*Accessibility: switch Terminal on\.$/),
    expect.stringMatching(/^Screen Recording is stale: .*older build\. Remove it with −, add it again, and switch it on\.$/),
  ]); // prettier-ignore
  expect(attention.now()?.condition).toBe('permission');
});

test('[req:MP-2] what is granted meanwhile is noticed without anybody asking', async () => {
  states = { accessibility: 'granted', screenRecording: 'granted' };
  await vi.advanceTimersByTimeAsync(20_000);
  expect(seen.at(-1)).toMatchObject({ permissions: states, issues: [] });
  expect(attention.now()).toBeNull();
  states = { ...states, accessibility: 'missing' };
  await vi.advanceTimersByTimeAsync(20_000);
  expect(told()).toHaveLength(1);
  expect(looked).toBeGreaterThanOrEqual(3);
});

test('each application that the person decided about has a row; a refused one is no fault, nor are rows that cannot be read', async () => {
  states = { accessibility: 'granted', screenRecording: 'granted' };
  const decided = [{ application: 'Finder', state: 'missing' as const }];
  automation = async () => decided;
  await health.refresh();
  expect(health.now()).toMatchObject({ automation: decided, issues: [] });
  expect(attention.now()).toBeNull();
  automation = async () => Promise.reject(new DesktopError('not_responding', verbatim('late')));
  await health.refresh();
  expect(health.now()).not.toHaveProperty('automation');
  expect(health.now()).toMatchObject({ permissions: states, issues: [] });
});
