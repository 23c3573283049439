import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { WireError } from '../../../src/main/protocol/index.js';
import type { PagesOptions } from '../../../src/main/serve/page/index.js';
import { verbatim } from '../../../src/messages/index.js';
import { startPages } from './support.js';

describe('[req:GC-9] applications that change all the time', () => {
  it('are told of to a paired page only, at once and then no more often than a page can read', async () => {
    const onChange = vi.fn((_listener: () => void) => () => undefined);
    const list = vi.fn<PagesOptions['gabpApps']['list']>(() => []);
    const { open, openPaired } = await startPages({
      gabpApps: { list, onChange, start: vi.fn(), stop: vi.fn(), acknowledge: vi.fn(), log: vi.fn() },
    });
    const stranger = open();
    const page = await openPaired();
    const before = page.all('gabpApps').length;
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    for (let change = 0; change < 10_000; change++) onChange.mock.calls[0]?.[0]();
    expect(page.all('gabpApps')).toHaveLength(before + 1);
    list.mockImplementation(() => {
      throw new WireError('DESKTOP_INVALID_REQUEST', verbatim('no version'));
    });
    vi.runAllTimers();
    expect(page.all('gabpApps')).toHaveLength(before + 2);
    expect(page.last('gabpApps')).toMatchObject({ apps: [], fault: verbatim('no version') });
    expect(stranger.all('gabpApps')).toEqual([]);
  });
});
