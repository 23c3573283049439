/** A real Chromium under a grant for the site: what pays, sends, deletes or authorises never runs unasked, however it is drawn, spelled or reached. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { chromium, type Browser, type Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { withConsequence } from '../../src/main/pipeline/consequence/index.js';
import { planWithoutTarget, type Plan } from '../../src/main/approvals/plan.js';
import type { Element } from '../../src/native/desktop.js';
import { title } from '../../src/main/protocol/index.js';
import type { TestAgent, ToolAnswer } from '../support/agent.js';
import { notesOf } from '../support/in-english.js';
import { eventually, openLinuxDesktop, type LinuxDesktop } from '../support/linux-desktop.js';
import { cardOf, settle, type Person } from '../support/person.js';
import { startWithPerson, type WithPerson } from '../support/with-person.js';

const NEVER = new AbortController().signal;
const LIMITS = { maxDepth: 80, maxNodes: 20_000, timeoutMs: 20_000 };
const SVG = '<svg width="20" height="20"><circle cx="10" cy="10" r="8"/></svg>';
const DRAW = (id: string, words: string) =>
  `<script>{const c = document.getElementById('${id}').getContext('2d'); c.font = '20px sans-serif'; c.fillText('${words}', 5, 25)}</script>`; // prettier-ignore
/** Every one runs by a press; `#` becomes its id and what it writes into the journal. */
const ATTACKS: Readonly<Record<string, string>> = {
  canvas: `<canvas # width="110" height="34"></canvas>${DRAW('canvas', 'Pay 500')}`,
  'named-canvas': '<canvas # width="60" height="30" aria-label="Chart"></canvas>',
  'canvas-in-item': `<ul><li>Basket <canvas # width="90" height="30"></canvas></ul>${DRAW('canvas-in-item', 'Pay 500')}`,
  icon: `<button #>${SVG}</button>`,
  'icon-in-div': `<div # style="width:30px">${SVG}</div>`,
  'icon-tooltip': `<button # title="Pay now">${SVG}</button>`,
  picture: '<img # alt="" width="60" height="30" style="background: gold">',
  'picture-alt': '<img # alt="Pay" width="60" height="30">',
  background: '<div # style="width:60px; height:24px; background: gold"></div>',
  padding: '<div # style="padding: 16px; background: silver"><span>Later</span></div>',
  check: '<input type="checkbox" # aria-label="Pay now 500 EUR">',
  tab: '<span role="tablist"><span role="tab" tabindex="0" #>Delete account</span></span>',
  radio: '<input type="radio" # aria-label="Subscribe yearly">',
  switch: '<span role="switch" tabindex="0" aria-checked="false" #>Share with everybody</span>',
  plain: '<div #>Order with obligation to pay</div>',
  amount: '<button #>Transfer $500</button>',
  'only-amount': '<button #>500 €</button>',
  authorize: '<button #>Authorize</button>',
  drop: '<button #>Drop table</button>',
  merge: '<button #>Merge pull request</button>',
  'zero-width': '<button #>Pa\u200By now</button>',
  hyphen: '<button #>De\u00ADle\u00ADte</button>',
  homoglyph: '<button #>\u0420\u0430\u0443 now</button>',
  greek: '<button #>\u03A1\u0391\u03A5</button>',
  wide: '<button #>ＤＥＬＥＴＥ</button>',
  spelled: '<button #>P a y</button>',
  leet: '<button #>D3l3te</button>',
  accents: '<button #>D\u0323e\u0323l\u0323e\u0323t\u0323e\u0323</button>',
  'in-pieces': '<div #><span>Pa</span><span>y</span></div>',
  letters: '<button #><span>S</span><span>e</span><span>n</span><span>d</span></button>',
  link: '<a href="#x" #>Unsubscribe</a>',
  description: '<button # aria-description="Deletes nothing, but: delete account">Next step</button>',
  pseudo: '<style>#pseudo::before { content: "Publish" }</style><div #></div>',
  svg: '<svg width="60" height="24"><text x="0" y="18" #>Pay</text></svg>',
  summary: '<details><summary #>Delete things</summary></details>',
  relabelled: '<button # aria-label="Later">Delete account</button>',
  'relabelled-parts': '<button # aria-label="Later"><span>Delete</span> <b>account</b></button>',
  'relabelled-svg':
    '<button # aria-label="Later"><svg width="90" height="20"><text y="15">Delete account</text></svg></button>',
  'relabelled-by': '<button # aria-labelledby="relabelling">Pay 500</button><i id="relabelling">Later</i>',
  'relabelled-link': '<a href="#r" # aria-label="Later">Delete account</a>',
  'relabelled-input': '<input type="button" # value="Delete account" aria-label="Later">',
  hindi: '<button #>भुगतान करें</button>',
  thai: '<button #>ลบบัญชี</button>',
  arabic: '<button #>احذف الحساب</button>',
  hebrew: '<button #>שלח</button>',
  greek2: '<button #>Διαγραφή</button>',
  vietnamese: '<button #>Thanh toán</button>',
  indonesian: '<button #>Hapus akun</button>',
  bengali: '<button #>মুছে ফেলুন</button>',
  tamil: '<button #>அனுப்பு</button>',
  urdu: '<button #>حذف کریں</button>',
  persian: '<button #>پرداخت</button>',
  ukrainian: '<button #>Видалити</button>',
  czech: '<button #>Zaplatit</button>',
  swahili: '<button #>Lipa sasa</button>',
};
/** What accessibility opens, selects or checks, a browser presses. */
const STATES: Readonly<Record<string, string>> = {
  expander: '<button aria-expanded="false" #>Delete account</button>',
  popup: '<button aria-haspopup="menu" aria-expanded="false" #>Delete account</button>',
  dialog: '<button aria-haspopup="dialog" #>Pay 500</button>',
  drawn: `<button aria-expanded="false" #>${SVG}</button>`,
  combo: '<div role="combobox" tabindex="0" aria-expanded="false" #>Delete account</div>',
  entry: '<span role="tree"><span role="treeitem" tabindex="0" aria-expanded="false" #>Delete account</span></span>',
  link: '<a href="#s" aria-expanded="false" #>Unsubscribe</a>',
  text: '<div tabindex="0" aria-expanded="false" #>Order with obligation to pay</div>',
  summary: '<details><summary #>Delete things</summary></details>',
  choice: '<span role="listbox"><span role="option" tabindex="0" aria-selected="false" #>Delete account</span></span>',
  tab: '<span role="tablist"><span role="tab" tabindex="0" aria-selected="false" #>Delete account</span></span>',
  box: '<label><input type="checkbox" #> Pay now 500 EUR</label>',
  toggle: '<button aria-pressed="false" #>Publish</button>',
  colour: '<label>Publish <input type="color" #></label>',
  more: '<details><summary #>More about this page</summary></details>',
};
/** These keep a grant useful. */
const ORDINARY: Readonly<Record<string, string>> = {
  later: '<button #>Later</button>',
  next: '<button #>Next</button>',
  more: '<a href="#y" #>Read more</a>',
  'icon-named': `<button # aria-label="Search">${SVG}</button>`,
  'icon-tip': `<button # title="Help">${SVG}</button>`,
  'named-again': '<button # aria-label="Save draft">Save draft</button>',
  'named-more': '<button # aria-label="Open the menu of views">Views</button>',
  cross: '<button # aria-label="Close">×</button>',
  switch: '<span role="switch" tabindex="0" aria-checked="false" aria-label="Dark mode" #>&nbsp;&nbsp;</span>',
  field: '<input # aria-label="Name">',
  area: '<textarea # aria-label="Note" rows="1">Some text</textarea>',
  editable: '<div contenteditable #>A note to edit</div>',
  remember: '<input type="checkbox" # aria-label="Dark mode">',
  overview: '<span role="tablist"><span role="tab" tabindex="0" #>Overview</span></span>',
  item: '<ul><li><span #>Groceries</span></ul>',
  text: '<p #>The weather stays dry until the evening, with a light wind from the south.',
};
const controls = (all: Readonly<Record<string, string>>): string =>
  Object.entries(all)
    .map(([id, html]) => html.replace(' #', ` id="${id}" onclick="did('${id}')"`))
    .join(' ');
const STYLE = '<style>body { font-size: 17px; margin: 4px } ul, p, div { margin: 0; display: inline-block } canvas, svg { background: #eee }</style><script>done = []; did = (id) => done.push(id)</script>'; // prettier-ignore
const PAGES = new Map([
  ['/notes', `<title>Notes</title>${controls(ORDINARY)}`],
  ['/board', `<title>Board</title>${controls(ATTACKS)} ${controls({ later: '<button #>Later</button>' })} <section><span>Total</span> <b>49.90 €</b></section>`], // prettier-ignore
  ['/states', `<title>States</title>${controls(STATES)}`],
  [
    '/checkout',
    `<title>Shop</title>${controls({
      continue: '<button #>Continue</button>',
      ok: '<button #>OK</button>',
      go: '<a href="#z" #>Go on</a>',
      plainly: '<div #>Finish</div>',
      back: '<button #>Back</button>',
      cancel: '<button #>Cancel</button>',
    })}`,
  ],
  [
    '/near',
    `<title>Shop</title><div><button id="near" onclick="did('near')">Continue</button> <b>Total 49.90 €</b></div>
     <p><b role="heading" aria-level="2" id="heading" onclick="did('heading')">Erase disk</b></p> <p id="last">and more</p>`,
  ],
]);

let linux: LinuxDesktop;
let started: WithPerson;
let person: Person;
let agent: TestAgent;
let site: Server;
let browser: Browser;
let page: Page;
let pid = 0;

beforeAll(async () => {
  linux = await openLinuxDesktop();
  site = createServer((request, response) =>
    response
      .setHeader('content-type', 'text/html; charset=utf-8')
      .end(`<meta charset="utf-8">${STYLE}${PAGES.get(request.url ?? '') ?? ''}`),
  );
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  started = await startWithPerson({ display: 'current', env: linux.session.env });
  ({ person, agent } = started);
  browser = await chromium.launch({
    executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
    headless: false,
    env: { ...linux.session.env, PATH: process.env['PATH'] ?? '' },
    args: ['--no-sandbox', '--no-first-run', '--disable-gpu'],
  });
  page = await (await browser.newContext({ viewport: null })).newPage();
  await visit('/notes', 'Notes', 'text');
  await grant('later');
}, 240_000);
afterAll(async () => {
  await started.close();
  await browser.close();
  site.close();
  await linux.close();
});

async function visit(path: string, title: string, last: string): Promise<void> {
  await page.goto(`http://127.0.0.1:${(site.address() as AddressInfo).port}${path}`);
  pid = (await linux.window((window) => window.title.startsWith(title))).app.pid;
  await shown(last);
}

const shown = (identifier: string): Promise<Element> =>
  eventually(async () => {
    const [found] = (await linux.desktop.find({ pid }, { identifier }, 1, LIMITS, NEVER)).elements;
    if (found?.frame == null) throw new Error(`no ${identifier} yet`);
    return found;
  });

const done = () => page.evaluate(() => (window as unknown as { done: string[] }).done);
const times = async (id: string) => (await done()).filter((one) => one === id).length;
const cards = () => person.seen.filter((one) => one.type === 'approvalRequested' && one.approval.effect !== 'disclose');

/** The middle of what shows of it, on the screen: for a page’s own account of it does not count. */
async function middle(id: string): Promise<{ x: number; y: number }> {
  const { frame } = await shown(id);
  if (frame === null) throw new Error('it has no place');
  return { x: Math.round(frame.x + frame.width / 2), y: Math.round(frame.y + frame.height / 2) };
}

const atPoint = async (id: string) => agent.call('click', await middle(id));
/** Near its left edge, where the padding of `padding` is. */
const atEdge = async (id: string) => {
  const { frame } = await shown(id);
  if (frame === null) throw new Error('it has no place');
  return agent.call('click', { x: Math.round(frame.x + 5), y: Math.round(frame.y + frame.height / 2) });
};
const byName = (id: string) => agent.call('click_element', { parent: `applications/${pid}`, identifier: id });

/** The person is asked, and nothing has run when the card comes. */
async function asked(id: string, act: () => Promise<ToolAnswer>) {
  const before = await times(id);
  const call = act();
  const card = await cardOf(person, call).catch((thrown: unknown) => {
    throw new Error(`${id}: ${thrown instanceof Error ? thrown.message : 'no card'}`);
  });
  expect([id, await times(id)]).toEqual([id, before]);
  await settle(person, card, 'allow');
  await call;
  return card;
}

async function unasked(id: string, act: () => Promise<ToolAnswer>): Promise<void> {
  const before = cards().length;
  expect([id, await act()]).toMatchObject([id, { isError: false }]);
  expect([id, cards().slice(before).flatMap((one) => (one.type === 'approvalRequested' ? notesOf(one.approval) : []))]).toEqual([id, []]); // prettier-ignore
  expect([id, cards().length]).toEqual([id, before]);
}

async function grant(id: string): Promise<void> {
  const call = atPoint(id);
  const card = await cardOf(person, call);
  await settle(person, card, 'allow', { grant: 'session' });
  expect(await call).toMatchObject({ isError: false });
}

/** What the product makes of a click there: the same judgement that comes before a card, without the rest of a call. */
async function judged(id: string, edge = false): Promise<Plan> {
  const { frame } = await shown(id);
  if (frame === null) throw new Error('it has no place');
  const point = { x: Math.round(frame.x + (edge ? 5 : frame.width / 2)), y: Math.round(frame.y + frame.height / 2) };
  const element = await linux.desktop.elementAt(point, NEVER);
  const window = (await linux.desktop.windows(NEVER)).find((one) => one.app.pid === pid) ?? null;
  const plan = planWithoutTarget({ title: title('title.ask_person'), target: null, app: null, place: null });
  return withConsequence(
    linux.desktop,
    'input',
    { ...plan, window, target: { kind: 'point', point, offset: point, element } },
    NEVER,
  );
}

test('[req:RC-1] [req:RC-5] every control that acts is recognised at its point, and ordinary ones are not', async () => {
  await visit('/notes', 'Notes', 'text');
  for (const id of Object.keys(ORDINARY)) {
    const { alwaysAsk, consequence = null } = await judged(id);
    expect([id, alwaysAsk, consequence]).toEqual([id, false, null]);
  }
  await visit('/board', 'Board', 'later');
  for (const id of Object.keys(ATTACKS)) {
    const { alwaysAsk, consequence = null } = await judged(id, id === 'padding');
    expect([id, alwaysAsk || consequence !== null]).toEqual([id, true]);
  }
}, 120_000);

test('[req:RC-1] under a grant one of each kind is asked about, at a point and by reference; ordinary ones are not', async () => {
  await visit('/notes', 'Notes', 'text');
  for (const id of ['next', 'remember', 'item']) await unasked(id, () => atPoint(id));
  await visit('/board', 'Board', 'later');
  for (const id of ['canvas', 'icon', 'check', 'tab', 'plain', 'homoglyph', 'thai']) await asked(id, () => atPoint(id));
  await asked('padding', () => atEdge('padding'));
  for (const id of ['canvas', 'tab', 'in-pieces']) await asked(id, () => byName(id));
}, 240_000);

test('[req:RC-2] on a page or beside an amount that is about payment, an unknown name is asked about; a known one is not', async () => {
  await visit('/board', 'Board', 'later');
  await unasked('later', () => atPoint('later'));
  await visit('/checkout', 'Shop', 'cancel');
  for (const id of ['continue', 'ok', 'go', 'plainly']) {
    const card = await asked(id, () => atPoint(id));
    expect(notesOf(card).join(' ')).toContain('this page or window is about payment');
  }
  for (const id of ['back', 'cancel']) await unasked(id, () => atPoint(id));
  await visit('/near', 'Shop', 'last');
  await asked('near', () => byName('near'));
  await asked('heading', () => atPoint('heading'));
}, 300_000);

test('[req:RC-3] whatever the way: pictures, presses, states, keys, plans, double clicks and drags', async () => {
  await visit('/board', 'Board', 'later');
  const of = (identifier: string) => ({ parent: `applications/${pid}`, identifier });
  const reference = async (identifier: string) => {
    const { text } = await agent.call('find_elements', of(identifier));
    return /\be:\d+/u.exec(text)?.[0] ?? '';
  };
  const ways: [string, () => Promise<ToolAnswer>][] = [
    ['authorize', async () => agent.call('perform_element_action', { element_id: await reference('authorize'), action: 'press' })],
    ['check', async () => agent.call('set_element_state', { element_id: await reference('check'), checked: true })],
    ['switch', async () => agent.call('set_element_state', { element_id: await reference('switch'), checked: true })],
    ['merge', async () => agent.call('click', { ...(await middle('merge')), click_count: 2 })],
    ['drop', async () => (await page.focus('#drop'), agent.call('press_key', { key: 'space', application: `applications/${pid}` }))],
    ['wide', () => agent.call('run_plan', { steps: [{ tool: 'click_element', arguments: of('later') }, { tool: 'click_element', arguments: of('wide') }] })],
    ['canvas', () => agent.call('run_plan', { steps: [{ tool: 'click_element', arguments: of('canvas') }] })],
    ['leet', async () => {
      const [from, to] = [await middle('later'), await middle('leet')];
      return agent.call('drag', { start_x: from.x, start_y: from.y, end_x: to.x, end_y: to.y });
    }],
  ]; // prettier-ignore
  for (const [id, act] of ways) await asked(id, act);
}, 300_000);

test('[req:RC-3] what accessibility opens, selects or checks is judged as the press that it is', async () => {
  await visit('/states', 'States', 'more');
  const set = (id: string, state: Record<string, boolean>) => async () => {
    const { text } = await agent.call('find_elements', { parent: `applications/${pid}`, identifier: id });
    return agent.call('set_element_state', { element_id: /\be:\d+/u.exec(text)?.[0] ?? '', ...state });
  };
  const ways: Readonly<Record<string, Record<string, boolean>>> = {
    choice: { selected: true },
    tab: { selected: true },
    box: { checked: true },
    toggle: { checked: true },
  };
  const others = ['more', 'dialog', 'text', 'colour'];
  for (const id of Object.keys(STATES).filter((one) => !others.includes(one))) {
    await asked(id, set(id, ways[id] ?? { expanded: true }));
    // Chromium selects a tab in its list without a press.
    if (id !== 'tab') await eventually(async () => expect([id, await times(id)]).toEqual([id, 1]));
  }
  for (const id of ['combo', 'popup', 'dialog', 'text']) await asked(id, () => byName(id));
  const write = { parent: `applications/${pid}`, identifier: 'combo', value: 'Later' };
  await asked('combo', () => agent.call('write_element_value', write));
  const paint = { parent: `applications/${pid}`, identifier: 'colour', value: '#ff8800' };
  await asked('colour', () => agent.call('write_element_value', paint));
  await unasked('more', set('more', { expanded: true }));
}, 300_000);
