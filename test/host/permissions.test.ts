/** Permissions as the person meets them, on a fake source that counts the questions which looking would raise. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createAttention } from '../../src/main/agents/attention.js';
import { watchHealth, type HealthWatch } from '../../src/main/host/health.js';
import type { Health } from '../../src/main/protocol/index.js';
import { inEnglish } from '../../src/messages/index.js';
import type { DesktopBackend, Permission, PermissionState } from '../../src/native/desktop.js';

let health: HealthWatch;
let states: Record<Permission, PermissionState>;
let looked: number;
const attention = createAttention();
const seen: (Health | null)[] = [];

beforeEach(async () => {
  vi.useFakeTimers();
  seen.length = 0;
  looked = 0;
  states = { accessibility: 'missing', screenRecording: 'stale' };
  const desktop: Pick<DesktopBackend, 'permissions' | 'platform' | 'version' | 'onLost'> = {
    platform: 'macos',
    version: 'macOS 15.3.1',
    onLost: () => () => undefined,
    async permissions() {
      looked += 1;
      return { ...states };
    },
  };
  health = watchHealth({
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

test('[req:MP-1] missing and stale are told apart, each with its own way out', () => {
  expect(health.now()).toMatchObject({ permissions: states, system: 'macos' });
  expect(told()).toEqual([
    expect.stringMatching(/^Accessibility is missing: .*Accessibility: switch Chaperone on\.$/),
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
