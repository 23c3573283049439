import { title, type AnswerTo, type Card, type ShownStep } from '../../src/main/protocol/index.js';
import { CLICK, dragging, typing } from '../support/titles.js';
import type { Page } from 'playwright';
import { expect, test } from 'vitest';
import { keepPicture } from '../support/keep-picture.js';
import { activity, ago, card, CLAUDE, GRANT, HEALTH, POLICY, STATUS } from '../support/page-samples.js';
import { pageTests, spread } from '../support/page-test.js';
import { message, verbatim } from '../../src/messages/index.js';

const pages = pageTests();

/** Names are none of any language, so that whatever reads like English is the host's. */
const AGENT = { ...CLAUDE, name: 'Zorg', tile: 'Zo', claim: null };
const PLACE = { app: 'Qux', place: 'Plugh' };
const step = (over: Partial<ShownStep>): ShownStep => ({
  tool: 'click', effect: 'input', subject: { title: CLICK, target: 'Xyzzy', ...PLACE }, arguments: {}, text: null,
  process: null, window: 'Plugh', documentUrl: null, notes: [], late: null, ...over,
}); // prettier-ignore

const QUX = { scope: 'other', place: 'Qux', effect: 'other', files: 'other', folder: '' } as const;

function cards(): Card[] {
  const base = { agent: AGENT, window: 'Plugh', process: { name: 'Qux', appId: 'org.qux', pid: 9, startTime: ago(9) } };
  return [
    card({
      ...base,
      subject: { title: CLICK, target: 'Xyzzy', ...PLACE },
      grants: [
        { kind: 'once', label: message('grant.once'), consequence: message('grant.once.means'), covered: null },
        { kind: 'time', label: message('grant.choice', { agent: 'Zorg', scope: 'other', place: 'Qux', length: 'time' }), consequence: message('grant.time.means', QUX), covered: { would: 7, of: 9 } },
        { kind: 'session', label: message('grant.choice', { agent: 'Zorg', scope: 'other', place: 'Qux', length: 'session' }), consequence: message('grant.session.means', { ...QUX, agent: 'Zorg' }), covered: null },
        { kind: 'always', label: message('grant.choice', { agent: 'Zorg', scope: 'other', place: 'Qux', length: 'always' }), consequence: message('grant.always.means', { ...QUX, agent: 'Zorg', program: '/bin/zorg' }), covered: null },
      ],
    }),
    card({
      ...base,
      agent: { ...AGENT, id: 'b', pid: 7 },
      tool: 'type_text',
      subject: { title: typing(12), keyboard: true, target: 'Xyzzy', ...PLACE },
      text: 'abracadabra!',
      notes: [message('note.through_clipboard'), message('note.replaces')],
      grants: [],
    }),
    card({
      ...base,
      agent: { ...AGENT, id: 'c', pid: 6 },
      effect: 'dangerous',
      tool: 'run_plan',
      subject: { title: title('title.run_plan', { count: 3 }), target: null, ...PLACE },
      notes: [message('note.stops_at_failure')],
      steps: [
        step({}),
        step({ tool: 'press_key', subject: { title: title('title.press_keys', { chord: 'cmd+S' }), target: null, ...PLACE }, notes: [message('note.goes_to_focus')] }),
        step({ tool: 'drag', subject: { title: dragging('(3, 4)'), target: 'Xyzzy', ...PLACE }, notes: [message('note.ends_over_desktop')] }),
      ],
      grants: [],
    }),
    card({
      ...base,
      agent: { ...AGENT, id: 'd', pid: 5 },
      effect: 'disclose',
      tool: 'capture_screenshot',
      subject: { title: title('title.picture_screen'), target: null, app: 'Qux', place: null },
      window: null,
      process: null,
      covers: [message('note.reads_controls_in_it')],
      notes: [],
      grants: [{ kind: 'once', label: message('grant.remembered', { agent: 'Zorg' }), consequence: message('grant.remembered.means', { agent: 'Zorg', app: '', what: 'screen' }), covered: null }],
    }),
  ];
} // prettier-ignore

const rows = [
  activity({ seq: 4, subject: { title: CLICK, target: 'Xyzzy', ...PLACE } }),
  activity({ seq: 3, outcome: 'failed', note: message('failure.aborted', { why: message('stopped.one') }), subject: { title: title('title.move_pointer'), target: null, point: '(3, 4)', ...PLACE } }),
  activity({ seq: 2, outcome: 'denied', note: message('policy.refuses', { preset: 'strict', effect: 'input' }), subject: { title: title('title.scroll', { keys: '', ways: [message('title_part.steps', { count: 3, way: 'down' })] }), target: 'Xyzzy', ...PLACE } }),
  activity({ seq: 1, outcome: 'denied', note: verbatim('Check {n#} replies'), tool: 'list_windows', subject: { title: title('title.list', { what: 'windows' }), target: null, app: null, place: null } }),
].map((row) => ({ ...row, agent: { id: 'a', name: 'Zorg', tile: 'Zo' } })); // prettier-ignore

const CHECK: Omit<AnswerTo<'check'>, 'type' | 'request'> = {
  at: ago(0),
  findings: [
    { name: 'display', ok: true, seen: message('doctor.no_display'), fix: null, command: null },
    { name: 'virtual desktop', ok: false, seen: message('doctor.missing_programs', { programs: 'Xvfb' }), fix: message('doctor.install'), command: 'apt install xvfb' },
  ],
  record: { ok: false, lines: 9, problems: [message('record.line_edited', { line: 4 })], problemCount: 1, notes: [] },
  places: [],
}; // prettier-ignore

/** Words no German or Chinese sentence has. */
const ENGLISH = /\b(the|and|is|of|with|into|this|that|until|you|are|what|it|not|by|click|clicked|paused|missing|only|allow|minutes|screen|steps?)\b/gi; // prettier-ignore

const english = async (page: Page, where = 'main'): Promise<string[]> => {
  const lines = (await page.locator(where).innerText()).split('\n');
  return lines.filter((line) => (line.match(ENGLISH) ?? []).length > 0);
};

const EXPECTED = {
  de: {
    wants: '„Xyzzy“ in Qux anklicken',
    types: 'In Qux 12 Zeichen in „Xyzzy“ eintippen',
    notes: ['Geht über die Zwischenablage, die danach ihren Inhalt zurückbekommt.', 'Ersetzt, was dort steht.'],
    steps: ['„Xyzzy“ anklicken', 'cmd+S drücken', '„Xyzzy“ nach (3, 4) ziehen', 'Endet über dem leeren Schreibtisch.'],
    screen: 'Ein Bild des Bildschirms mit Qux aufnehmen',
    remembered: 'Zorg darf alles auf Ihrem Bildschirm sehen, bis es beendet wird.',
    grants: ['Erlauben in Qux, 10 Min.', '10 Minuten lang darf es in Qux sehen, klicken und tippen.', 'Zorg (/bin/zorg) darf in Qux immer sehen, klicken und tippen. Sie können es in den Einstellungen zurücknehmen.'],
    paused: 'Sie haben binnen einer Minute drei Anfragen abgelehnt.',
    refused: 'Die Anfrage war gerade erst erschienen. Nichts wurde entschieden; drücken Sie noch einmal.',
    rows: ['„Xyzzy“ angeklickt', 'Abgebrochen: Sie haben es abgebrochen.', '„Xyzzy“ um 3 nach unten scrollen', 'Die Regel (Streng) verweigert Handlungen dieser Art: Klicken und Tippen.', 'Fenster auflisten', '„Check {n#} replies“'],
    health: ['Bedienungshilfen“ fehlt', 'Installieren Sie, was fehlt:', 'es fehlt: Xvfb', 'Zeile 4 wurde geändert: Ihre Bytes passen nicht zu ihrer Prüfsumme'],
    announced: 'Zorg möchte: „Xyzzy“ in Qux anklicken',
    granted: 'Zorg darf in Qux immer sehen, klicken und tippen.',
  },
  zh: {
    wants: '在 Qux 中点击“Xyzzy”',
    types: '在 Qux 中向“Xyzzy”输入 12 个字符',
    notes: ['通过剪贴板进行，之后恢复其内容。', '替换现有内容。'],
    steps: ['点击“Xyzzy”', '按 cmd+S', '将“Xyzzy”拖动到 (3, 4)', '在空白桌面上结束。'],
    screen: '拍摄屏幕（含 Qux）',
    remembered: '在 Zorg 退出之前，它可以看到您屏幕上的所有内容。',
    grants: ['允许在 Qux 中操作，10 分钟', '在 10 分钟内可以在 Qux 中查看、点击和输入。', 'Zorg（/bin/zorg）始终可以在 Qux 中查看、点击和输入。您可以在设置中收回。'],
    paused: '您在一分钟内拒绝了三个请求。',
    refused: '请求刚刚出现，尚未作出决定；请再按一次。',
    rows: ['点击了“Xyzzy”', '已中止：您停止了它。', '滚动“Xyzzy”（向下 3 格）', '策略（严格）拒绝此类操作：点击和输入。', '列出窗口', '“Check {n#} replies”'],
    health: ['缺少“辅助功能”权限', '安装缺少的程序：', '缺少：Xvfb', '第 4 行被修改：其字节与哈希不符'],
    announced: 'Zorg 想要：在 Qux 中点击“Xyzzy”',
    granted: 'Zorg 始终可以在 Qux 中查看、点击和输入。',
  },
}; // prettier-ignore

test.each([
  ['de', 'de-DE', 320],
  ['de', 'de-DE', 880],
  ['zh', 'zh-CN', 320],
  ['zh', 'zh-CN', 880],
] as const)('[req:AP-W-2] %s: what the host says is said in it, and nothing is left in English (%s, %i px)', async (language, locale, width) => {
  const words = EXPECTED[language];
  const host = pages.host();
  host.answers = {
    check: () => CHECK, applications: () => ({ apps: [] }), thumbnails: () => ({ pictures: [] }),
    activityPage: () => ({ rows, next: null, total: rows.length, damaged: 0, agents: ['Zorg'] }),
  };
  const approvals = cards();
  const page = await pages.open({
    approvals, activity: rows, policy: { ...POLICY, excludedApps: [] }, grants: [{ ...GRANT, appName: 'Qux', agent: { ...GRANT.agent, name: 'Zorg' }, label: message('grant.given', { ...QUX, agent: 'Zorg', length: 'time' }), expiresAt: null }],
    health: { ...HEALTH, system: 'simulated', permissions: { screenRecording: 'granted' }, issues: [{ title: message('health.permission', { permission: message('permission.accessibility'), state: 'missing' }), fix: message('health.start_again') }] },
    status: { ...STATUS, agents: [], paused: { by: 'host', at: ago(1), reason: message('pause.three_denials') }, state: 'paused' },
  }, { locale, viewport: { width, height: 900 } });
  const [clicks, types, plan, screen] = approvals.map((one) => page.locator(`article[aria-labelledby="t-${one.id}"]`));
  if (clicks === undefined || types === undefined || plan === undefined || screen === undefined) throw new Error('four cards');
  await clicks.getByRole('heading', { name: words.wants, exact: true }).waitFor();
  await page.getByText(words.paused).waitFor();
  await clicks.locator('.pick').click();
  const first = await clicks.innerText();
  for (const one of words.grants) expect(first).toContain(one);
  await expect.poll(() => types.getByRole('heading').first().innerText()).toBe(words.types);
  for (const one of words.notes) expect(await types.innerText()).toContain(one);
  for (const one of words.steps) expect(await plan.innerText()).toContain(one);
  await expect.poll(() => screen.innerText()).toContain(words.screen);
  await expect.poll(() => screen.innerText()).toContain(words.remembered);
  expect(await english(page)).toEqual([]);
  expect(await spread(page)).toEqual([]);
  await keepPicture(page, `${language}-${width}-cards`, { fullPage: true });
  const about = approvals[3]?.id ?? '';
  host.say({ type: 'error', code: 'too_soon', about, message: message('answer.too_soon') });
  await screen.getByText(words.refused).waitFor();
  await page.evaluate(() => void (location.hash = '#/activity'));
  for (const one of words.rows) await page.getByText(one).first().waitFor();
  expect((await english(page)).filter((line) => !line.includes('replies'))).toEqual([]);
  await keepPicture(page, `${language}-${width}-activity`, { fullPage: true });
  await page.evaluate(() => void (location.hash = '#/health'));
  await page.locator('#h-machine').waitFor();
  for (const one of words.health) await page.getByText(one).first().waitFor();
  expect(await english(page)).toEqual([]);
  await keepPicture(page, `${language}-${width}-health`, { fullPage: true });
  await page.evaluate(() => void (location.hash = '#/settings'));
  await page.getByText(words.granted).waitFor();
  expect(await english(page)).toEqual([]);
  await keepPicture(page, `${language}-${width}-settings`, { fullPage: true });
  const late = card({ agent: AGENT, subject: { title: CLICK, target: 'Xyzzy', ...PLACE } });
  host.say({ type: 'approvalRequested', approval: late });
  await page.getByRole('status').getByText(words.announced).waitFor({ state: 'attached' });
}); // prettier-ignore
