import { beforeEach, describe, expect, test } from 'vitest';
import type { WindowFacts } from '../../../src/main/pipeline/mask-rules.js';
import { createPageGuard, type PageGuard } from '../../../src/main/serve/page/page-guard.js';
import type { ProcessIdentity } from '../../../src/native/peer/types.js';

const OURS = 'http://localhost:4100';
const BROWSER = 50;
const told = (...urls: string[]) => ({ urls, complete: true });
const untold = { urls: [], complete: false };

const process = (pid: number, parentPid: number, executable: string): ProcessIdentity => ({
  pid,
  parentPid,
  executable,
  startTime: '1',
  uid: 1000,
  script: null,
  cwd: null,
});
const table = new Map([
  [60, process(60, BROWSER, '/usr/lib/chromium/chromium')],
  [BROWSER, process(BROWSER, 40, '/usr/lib/chromium/chromium')],
  [40, process(40, 1, '/usr/bin/bash')],
]);

let guard: PageGuard;
beforeEach(() => {
  guard = createPageGuard({
    processes: {
      lookup: (pid) => table.get(pid) ?? null,
      lineage: (pid) => [...table.values()].filter((one) => one.pid <= pid),
    },
    unspentLink: () => false,
    ownPid: 1,
  });
  guard.servedAt(OURS);
});

const window = (more: Partial<WindowFacts> = {}): WindowFacts => ({
  pid: BROWSER,
  title: 'Weather',
  documentUrl: null,
  ...more,
});
const paired = (pid: number | null = 60) => {
  const page = guard.pageOpened(pid);
  page.markPaired();
  return page;
};

describe('a window that shows several documents [req:SG-1]', () => {
  test('is ours when any of them is', () => {
    const documents = told('https://a.example/', `${OURS}/#settings`);
    expect(guard.isProtected(window({ documentUrl: 'https://a.example/', documents }))).toBe(true);
    expect(guard.isProtected(window({ documents: told('https://a.example/', 'https://b.example/') }))).toBe(false);
    expect(guard.isProtected(window({ documents: told(`${OURS}0/`) }))).toBe(false);
    expect(guard.isProtected(window({ documents: told(`view-source:${OURS}/`) }))).toBe(true);
    expect(guard.isProtected(window({ documents: told(`blob:${OURS}/3f`) }))).toBe(true);
  });
});

describe('a browser that does not tell what it shows [req:SG-2]', () => {
  test('is treated as ours while a paired page of it is visible, and the cure is named', () => {
    expect(guard.isProtected(window({ documents: untold }))).toBe(false);
    const page = paired();
    expect(guard.isProtected(window({ documents: untold }))).toBe(true);
    expect(guard.isProtected(window())).toBe(true);
    expect(guard.hintFor(window({ documents: untold }))).toMatch(/accessibility.*popover/);
    page.setVisible(false);
    expect(guard.isProtected(window({ documents: untold }))).toBe(false);
    expect(guard.hintFor(window({ documents: untold }))).toBeNull();
    page.setVisible(true);
    expect(guard.isProtected(window({ documents: untold }))).toBe(true);
    page.closed();
    expect(guard.isProtected(window({ documents: untold }))).toBe(false);
  });

  test('but not where it tells all, for a page that may decide nothing, in another program, or in its menus', () => {
    const page = guard.pageOpened(60);
    expect(guard.isProtected(window({ documents: untold }))).toBe(false);
    page.markPaired();
    expect(guard.isProtected(window({ documents: told('https://a.example/') }))).toBe(false);
    expect(guard.isProtected(window({ pid: 40, documents: untold }))).toBe(false);
    expect(guard.isProtected(window({ normal: false, documents: untold }))).toBe(false);
    expect(guard.isProtected(window({ documents: { urls: ['https://a.example/'], complete: false } }))).toBe(true);
  });

  test('nor where nothing tells which browser the page is in: then every browser that does not tell is', () => {
    paired(null);
    expect(guard.isProtected(window({ pid: 77, documents: untold }))).toBe(true);
    expect(guard.isProtected(window({ pid: 77 }))).toBe(false);
  });

  test('[req:MW-3] there a window with our name is the page too, until a minute after it is closed, unless it tells all', () => {
    const named = window({ pid: 88, title: 'Chaperone – Some browser' });
    expect(guard.isProtected(named)).toBe(false);
    const page = guard.pageOpened(null);
    expect(guard.isProtected(named)).toBe(true);
    expect(guard.hintFor(named)).toMatch(/title/);
    expect(guard.isProtected({ ...named, title: 'Weather' })).toBe(false);
    expect(guard.isProtected({ ...named, documents: told('https://a.example/') })).toBe(false);
    page.closed();
    expect(guard.isProtected(named)).toBe(true);
  });

  test('a window that is ours by its address or its name has no cure', () => {
    paired();
    expect(guard.hintFor(window({ documents: { urls: [OURS], complete: false } }))).toBeNull();
    expect(guard.hintFor(window({ title: 'Chaperone – Chromium' }))).toBeNull();
    expect(guard.isProtected(window({ title: 'Chaperone – Chromium', documents: told('https://a.example/') }))).toBe(true); // prettier-ignore
  });
});

describe('a window with too many windows in it [req:SG-1]', () => {
  test('is Chaperone’s where a page is open, whoever’s it is', () => {
    const full = window({ pid: 7, crowded: true });
    expect(guard.isProtected(full)).toBe(false);
    paired();
    expect(guard.isProtected(full)).toBe(true);
    expect(guard.isProtected(window({ pid: 7 }))).toBe(false);
    expect(guard.hintFor(full)).toMatch(/another window/);
  });
});

describe('a document [req:SG-3]', () => {
  test('of ours is hidden in any process; one without an address only in a browser that has, or may have, the page open', () => {
    expect(guard.hidesDocument(77, `${OURS}/`)).toBe(true);
    expect(guard.hidesDocument(77, 'https://a.example/')).toBe(false);
    expect(guard.hidesDocument(BROWSER, null)).toBe(false);
    const page = paired();
    page.setVisible(false);
    expect(guard.hidesDocument(BROWSER, null)).toBe(true);
    expect(guard.hidesDocument(40, null)).toBe(false);
    paired(null);
    expect(guard.hidesDocument(40, null)).toBe(true);
  });
});
