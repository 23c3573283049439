import type { Page } from 'playwright';
import { describe, expect, test } from 'vitest';
import type { Evidence, EvidenceFileName } from '../../src/main/protocol/index.js';
import { GRANT } from '../support/page-samples.js';
import { complaints, eventually, pageTests, reconnect, spread } from '../support/page-test.js';
import { evilEvidence, evilFiles, filesOf, MAILS, openEvidence } from '../support/evidence-page.js';
import { evidence, idOf, resultText, serveEvidence, WINDOW, windowPicture } from '../support/record-samples.js';
import { message } from '../../src/messages/index.js';

const pages = pageTests();
const panel = (page: Page, name: string) => page.getByRole('region', { name, exact: true });

describe('the evidence of one action', () => {
  test('[req:AP-R-5] shows before and after, who decided, what happened and how it is known', async () => {
    const page = await openEvidence(pages);
    await expect.poll(() => page.getByRole('heading', { level: 1 }).innerText()).toBe('Clicked “Archive” in Mail');
    await page.getByRole('img', { name: 'Before: Clicked “Archive”' }).waitFor();
    await page.getByRole('img', { name: 'After: Clicked “Archive”' }).waitFor();
    await page.locator('.changed').first().waitFor();
    const decision = await panel(page, 'Decision').innerText();
    for (const part of [
      'Allowed',
      'You, in the menu bar',
      'after 6\u00a0s',
      'Only this time',
      'Claude Code, process 48213',
    ])
      expect(decision).toContain(part);
    await panel(page, 'What happened').getByText('Verified afterwards').waitFor();
    const happened = await panel(page, 'What happened').innerText();
    for (const part of ['click', 'Archive', 'Verified afterwards', 'row “Lease renewal”', 'row “Invoice 1187”'])
      expect(happened).toContain(part);
    await expect.poll(() => panel(page, 'Step by step').getByRole('listitem').count()).toBe(2);
    await page.getByRole('button', { name: 'Exact request' }).click();
    await page.getByText('a'.repeat(64)).waitFor();
    const [before, after] = await page.locator('.shot').all();
    expect((await before?.boundingBox())?.y).toBe((await after?.boundingBox())?.y);
    await page.setViewportSize({ width: 880, height: 900 });
    await eventually(
      async () => ((await after?.boundingBox())?.y ?? 0) - ((await before?.boundingBox())?.y ?? 0),
    ).toBeGreaterThan(100);
  });

  test('[req:AP-R-5] says in words what an Allow was for, and nothing where the record does not know', async () => {
    const base = evidence();
    const decision = { ...(base.decision as object), grantId: GRANT.id };
    const page = await openEvidence(pages, { ...base, decision });
    const lasted = () => panel(page, 'Decision').innerText();
    await eventually(lasted).toContain('A grant that has ended');
    pages.host().say({ type: 'grants', grants: [GRANT] });
    await eventually(lasted).toContain('can see, click and type in com.apple.mail until');
    const looked = { ...base, activity: base.activity && { ...base.activity, effect: 'disclose' as const } };
    const other = await openEvidence(pages, looked);
    await expect.poll(() => panel(other, 'Decision').innerText()).not.toContain('Only this time');
  });

  test('[req:AP-R-4] compares with a slider and enlarges, by keyboard too', async () => {
    const page = await openEvidence(pages);
    await page.getByRole('radio', { name: 'Slider' }).check();
    const slider = page.getByRole('slider');
    await slider.focus();
    await page.keyboard.press('End');
    await expect
      .poll(() => page.locator('.over').evaluate((one) => getComputedStyle(one).clipPath))
      .toMatch(/^inset\(0px( 0% 0px 0px)?\)$/);
    await page.keyboard.press('Home');
    await expect.poll(() => page.locator('.over').evaluate((one) => getComputedStyle(one).clipPath)).toContain('100%');
    await page.getByRole('radio', { name: 'Side by side' }).check();
    const picture = page.getByRole('img', { name: /^Before/ });
    const narrow = (await picture.boundingBox())?.width ?? 0;
    await page.getByRole('button', { name: 'Enlarge' }).focus();
    await page.keyboard.press('Enter');
    await page.keyboard.press('Enter');
    expect((await picture.boundingBox())?.width).toBeCloseTo(narrow * 2, -1);
    await page.getByRole('group', { name: 'Before, scroll to see all of it' }).focus();
    await page.keyboard.press('ArrowRight');
    await eventually(() =>
      page
        .locator('.shot-frame')
        .first()
        .evaluate((one) => one.scrollLeft),
    ).toBeGreaterThan(0);
  });

  test('[req:AP-R-4] elements are outlined where they were: pointing at either side lights up both', async () => {
    const page = await openEvidence(pages);
    const item = page.getByRole('treeitem', { name: /Button Archive/ });
    const outline = page.locator('.outline');
    await outline.waitFor();
    await item.hover();
    await expect.poll(() => outline.getAttribute('data-lit')).toBe('true');
    await page.mouse.move(0, 0);
    await eventually(() => outline.getAttribute('data-lit')).toBeNull();
    await outline.hover();
    await expect.poll(() => item.getAttribute('aria-selected')).toBe('true');
    const [image, box] = [await page.getByRole('img', { name: /^Before/ }).boundingBox(), await outline.boundingBox()];
    expect(((box?.x ?? 0) - (image?.x ?? 0)) / (image?.width ?? 1)).toBeCloseTo((560 - WINDOW.x) / WINDOW.width, 2);
    expect(((box?.y ?? 0) - (image?.y ?? 0)) / (image?.height ?? 1)).toBeCloseTo((66 - WINDOW.y) / WINDOW.height, 2);
  });

  test('an observed tree is walked and folded with the arrows', async () => {
    const node = (role: string, title: string, more: object = {}) => ({
      role,
      title,
      value: null,
      frame: null,
      states: [],
      actions: [],
      children: [],
      ...more,
    });
    const button = (title: string, x: number) =>
      node('AXButton', title, { frame: { x, y: 60, width: 40, height: 28 }, actions: ['AXPress'] });
    const tree = [
      node('AXWindow', 'Inbox', {
        children: [
          node('AXToolbar', '', { children: [button('Get Mail', 500), button('Archive', 560)] }),
          node('AXTable', 'Messages'),
        ],
      }),
    ];
    const found = evidence({
      files: ['observe.png', 'ax.json', 'result.json'].map((name) => ({
        name: name as EvidenceFileName,
        bytes: 9,
        fileState: 'as_written',
      })),
    });
    const page = await openEvidence(pages, found, {
      'observe.png': await windowPicture(MAILS),
      'ax.json': JSON.stringify({ tree }),
      'result.json': resultText(),
    });
    await eventually(() => page.locator('.outline b').allInnerTexts()).toEqual(['1', '2']);
    await page.getByRole('treeitem', { name: /Window Inbox/ }).focus();
    const focused = () => page.evaluate(() => document.activeElement?.textContent);
    for (const [key, on] of [
      ['ArrowDown', 'Toolbar'],
      ['ArrowDown', 'ButtonGet Mail1'],
      ['ArrowLeft', 'Toolbar'],
      ['ArrowLeft', 'Toolbar'],
      ['ArrowDown', 'TableMessages'],
      ['Home', 'WindowInbox'],
      ['End', 'TableMessages'],
    ] as const) {
      await page.keyboard.press(key);
      expect(await focused()).toBe(on);
    }
    await expect.poll(() => page.getByRole('treeitem').count()).toBe(3);
    await expect.poll(() => page.locator('.outline[data-lit]').count()).toBe(0);
  });

  test('[req:AP-R-5] [req:TR-5] a plan shows each step with what became of it, and what was confirmed', async () => {
    const steps = [
      { step: 1, tool: 'click_element', status: 'done', effect: 'confirmed', before: 'AXCheckBox “Copy”', after: 'AXCheckBox “Copy” checked', said: null }, // prettier-ignore
      { step: 2, tool: 'type_text', status: 'failed', effect: null, said: 'The field went away.' },
      { step: 3, tool: 'press_key', status: 'skipped', effect: null, said: null },
    ];
    const found = evidence();
    const page = await openEvidence(pages, found, {
      ...(await filesOf(found)),
      'trace.jsonl': steps.map((step) => JSON.stringify(step)).join('\n'),
    });
    await eventually(() => panel(page, 'Step by step').getByRole('listitem').allInnerTexts()).toHaveLength(3);
    const told = await panel(page, 'Step by step').getByRole('listitem').allInnerTexts();
    expect(told[0]?.replaceAll(/\s+/g, ' ')).toContain(
      'effect confirmed before AXCheckBox “Copy” after AXCheckBox “Copy” checked',
    );
    expect(told[0]).toMatch(/Step 1 click_element[^]*done[^]*confirmed/);
    expect(told[1]).toMatch(/Step 2 type_text[^]*failed[^]*The field went away\./);
    expect(told[2]).toMatch(/Step 3 press_key[^]*skipped/);
  });
});

describe('the record', () => {
  test('[req:AP-R-6] is checked when asked, and says what no key signs', async () => {
    const page = await openEvidence(pages);
    await panel(page, 'Record').getByText('Files as written').waitFor();
    const verdict = {
      ok: true,
      problems: [],
      recordProblems: [],
      recordProblemCount: 0,
      lines: 3_211,
      at: new Date().toISOString(),
    };
    pages.host().answers.verifyEvidence = () => ({ verdict });
    const check = page.getByRole('button', { name: 'Check the whole record' });
    await check.click();
    await page.getByText('Nothing edited, missing or cut off in 3,211 entries. Checked just now.').waitFor();
    await page.getByText('No key signs it').waitFor();
    pages.host().answers.verifyEvidence = () => ({
      verdict: {
        ...verdict,
        ok: false,
        recordProblems: [message('record.line_edited', { line: 12 })],
        recordProblemCount: 30,
      },
    });
    await check.click();
    await page.getByText('line 12 was edited: its bytes do not match its hash').waitFor();
    await page.getByText('29 more faults').waitFor();
    await panel(page, 'Record').getByText('Does not verify').waitFor();
    pages.host().answers.verifyEvidence = () => 'The log cannot be read.';
    await check.click();
    await page.getByText('The log cannot be read.').waitFor();
  });

  test('leads to the one before', async () => {
    const page = await openEvidence(pages);
    const before = evidence({ tool: 'other', activity: null, previous: null });
    serveEvidence(pages.host(), before, {});
    await panel(page, 'Record').getByRole('link').click();
    await page.getByRole('heading', { level: 1, name: 'other' }).waitFor();
    expect(new URL(page.url()).hash).toBe(`#/evidence/${idOf(40)}`);
  });

  test('[req:AP-R-7] what was edited, lost or planted is named and not shown', async () => {
    const fileState = {
      'before.png': 'edited',
      'after.png': 'missing',
      'trace.jsonl': 'unrecorded',
      'result.json': 'edited',
    } as const;
    const found = evidence();
    const files = found.files.map((file) => ({ ...file, fileState: fileState[file.name as keyof typeof fileState] }));
    const page = await openEvidence(pages, { ...found, files });
    await panel(page, 'Pictures').getByText('Changed after it was written').waitFor();
    await panel(page, 'Pictures').getByText('Missing').waitFor();
    await panel(page, 'Record').getByText('Does not verify').waitFor();
    await panel(page, 'Step by step').getByText('Not written by Chaperone').waitFor();
    await expect.poll(() => page.getByRole('img', { name: /Archive/ }).count()).toBe(0);
    await expect.poll(() => panel(page, 'What happened').innerText()).not.toContain('Lease renewal');
  });

  test('[req:AP-R-7] what retention deleted, what never ended and what the record lost say so', async () => {
    const at = '2026-01-02T10:00:00.000Z';
    const page = await openEvidence(
      pages,
      evidence({ state: 'deleted', files: [], dir: null, deleted: { at, reason: 'quota' } }),
    );
    await page.getByText('to stay below the size limit').waitFor();
    const again = async (over: Partial<Evidence>) => {
      serveEvidence(pages.host(), evidence(over), {});
      await page.evaluate(() => void (location.hash = '#/activity'));
      await page.evaluate((id) => void (location.hash = `#/evidence/${id}`), idOf(42));
    };
    await again({ state: 'abandoned', files: [] });
    await page.getByText('Chaperone stopped while this ran').waitFor();
    await again({ state: 'open', activity: null, endedAt: null, files: [], line: null });
    await page.getByText('This has not ended yet.').waitFor();
    await again({ lineDamaged: true, files: [] });
    await page.locator('.banner').getByText('no longer reads as it was written').waitFor();
    pages.host().answers.evidence = () => 'The record knows no such action.';
    await page.evaluate((id) => void (location.hash = `#/evidence/${id}`), idOf(43));
    await page.getByText('The record knows no such action.').waitFor();
    serveEvidence(pages.host(), evidence(), {});
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('heading', { level: 1, name: /Archive/ }).waitFor();
  });

  test('a connection that goes while it is read is waited for', async () => {
    const page = await pages.open();
    await page.evaluate((id) => void (location.hash = `#/evidence/${id}`), idOf(41));
    await pages.host().next('evidence');
    pages.host().goAway();
    await page.getByText('Lost the connection').waitFor();
    serveEvidence(pages.host(), evidence(), {});
    pages.host().comeBack();
    await reconnect(page);
    await page.getByRole('heading', { level: 1, name: /Archive/ }).waitFor();
  });
});

describe('hostile or not', () => {
  test.each([320, 2_000])(
    '[req:AP-R-10] nothing in it breaks the view at %i pixels, and axe finds nothing',
    async (width) => {
      const page = await openEvidence(pages, evilEvidence(), await evilFiles(), { viewport: { width, height: 900 } });
      await page.getByText('more in the file.').waitFor();
      await page.getByRole('treeitem').first().waitFor();
      await page.getByRole('button', { name: 'Exact request' }).click();
      await expect.poll(() => page.locator('main img[src="x"]').count()).toBe(0);
      expect(await spread(page)).toEqual([]);
      await expect.poll(() => page.evaluate(() => document.querySelectorAll('*').length)).toBeLessThan(8_000);
      expect(await complaints(page)).toEqual([]);
    },
  );

  test.each(['light', 'dark'] as const)('axe finds nothing in an ordinary one, %s', async (colorScheme) => {
    const page = await openEvidence(pages, evidence(), undefined, { colorScheme });
    await page.locator('.changed').first().waitFor();
    await page.locator('.outline').waitFor();
    expect(await complaints(page)).toEqual([]);
    await page.getByRole('radio', { name: 'Slider' }).check();
    await page.getByRole('button', { name: 'Enlarge' }).click();
    expect(await complaints(page)).toEqual([]);
  });
});
