import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { RESERVED_LABELS, reservedLabelLike } from '../../src/main/chat/limits.js';
import { everyText } from '../../src/messages/catalogues.js';
import { eachScene, type Scene } from '../support/world.js';
import type { Gabp } from '../support/gabp.js';

let scene: Scene;
let agent: Gabp;
eachScene((made) => ({ scene, agent } = made));

const SPELLINGS = [
  ...[
    'Allow',
    'allow',
    'ALLOW ✓',
    '✅ Allow',
    'Allow once',
    'Allow everything for today',
    'Yes-allow',
    'Yes, allow it',
  ],
  ...[
    'A l l o w',
    'A-l-l-o-w',
    'Al\u200blow',
    'Al\u3164low',
    'Al\u00adlow',
    'Аllow',
    'АIIow',
    'Ａｌｌｏｗ',
    '𝐀𝐥𝐥𝐨𝐰',
    'ⓐⓛⓛⓞⓦ',
    'Á̈llow',
    'A1l0w',
  ],
  ...[
    '🅰🅻🅻🅾🆆',
    'Allow\u202e',
    'allow\u{e0061}',
    'ᴀʟʟᴏᴡ',
    'Al lo w',
    '«Allow»',
    'Deny',
    'Dеny',
    'Deny all',
    'Stop',
    'Stop everything',
  ],
  ...[
    'Pair',
    'Pair this page',
    'Resume',
    'Resume Claude',
    'Revoke',
    'RE-VOKE',
    'Take over',
    'Pause',
    'Hold to allow',
    'Only this time',
    'Allow once',
    'Allow in Mail, 10 min',
  ],
  ...['Erlauben', 'erlaube es', 'Ablehnen', 'Zurücknehmen', 'Zuru\u0308cknehmen', 'Stopp', 'Koppeln', 'Fortsetzen'],
  ...['允许', '允许一次', '是，允许', '拒绝', '停止', '配对', '收回', '允\u200b许'],
  ...['Dismiss', 'Allowed', 'I have seen it', 'Unpair', 'Open menu bar'],
];

const FREE = [
  ...[
    'Yes',
    'No',
    'Go ahead with the deploy',
    'Use PostgreSQL',
    'Shallow clone',
    'Allowance of 500',
    'Swallow the error',
    'Option 1',
  ],
  ...[
    'The key-value store',
    'Ja',
    'Nein, lieber nicht',
    '好的',
    '不用',
    'Later today',
    'Show me the diff first',
    'Stopwatch',
    'I paused it myself',
  ],
];

describe('a quick reply [req:PL-2]', () => {
  test('that reads like a button of the page is refused, however it is spelled', async () => {
    for (const label of SPELLINGS) {
      const answer = await agent.tool('send_message', { text: 'Deploy?', quick_replies: ['No', label] });
      expect([label, answer.isError, answer.content[0]?.text]).toEqual([
        label,
        true,
        expect.stringMatching(
          /DESKTOP_INVALID_REQUEST: The quick reply .* reads like the button [^]*Say in other words/,
        ),
      ]);
    }
    expect(scene.person.seen.filter(({ type }) => type === 'agentMessage')).toEqual([]);
  });

  test('in a step of a plan is refused too', async () => {
    const steps = [
      { tool: 'send_message', arguments: { text: 'Deploy?', quick_replies: ['Allow'] } },
      { tool: 'wait', arguments: { seconds: 0.1 } },
    ];
    const answer = await agent.tool('run_plan', { purpose: 'ask', steps });
    expect(answer.isError).toBe(true);
    expect(scene.person.seen.filter(({ type }) => type === 'agentMessage')).toEqual([]);
  });

  test('in words of its own is a button, and answers', async () => {
    const asked = agent.tool('send_message', { text: 'Deploy?', quick_replies: FREE.slice(0, 6) });
    const question = await scene.person.next('agentMessage', ({ quickReplies }) => quickReplies?.[2] === FREE[2]);
    scene.person.send({ type: 'ack', id: question.ack_id, message: 'Yes' });
    expect((await asked).structuredContent).toMatchObject({ reply: 'Yes' });
    const demo = (['demo.begin', 'demo.no', 'demo.done', 'demo.ask_again'] as const).flatMap(everyText);
    expect(demo.filter((label) => reservedLabelLike(label) !== null)).toEqual([]);
    expect(FREE.filter((label) => reservedLabelLike(label) !== null)).toEqual([]);
  });

  test('may have no label of any button, in any language', () => {
    const whole = RESERVED_LABELS.flatMap(everyText).filter((text) => !text.includes('{'));
    expect(whole.length).toBeGreaterThan(100);
    expect(whole.filter((label) => reservedLabelLike(label) === null)).toEqual([]);
  });
});

/** Texts inside buttons that say a fact, ask, or name what they are about. */
const NO_LABELS = new Set([
  'page.card.exact_heading',
  ...['page.agents.take_over_text', 'page.agents.who', 'page.apps.auto', 'page.apps.claim', 'page.apps.unconfirmed'],
  ...['page.card.exact', 'page.chat.all', 'page.chat.image_alt', 'page.chat.send_hint', 'page.commands.by'],
  ...[
    'page.evidence.request',
    'page.list.fresh',
    'page.marks.comma',
    'page.settings.excluded_apps.add',
    'page.card.how_long',
    'page.card.more_time_title',
    'page.alerts.offer_no',
    'page.task.left',
    'page.task.of',
    'page.task.take_back_of',
  ],
]);

test('every button of the page has a reserved label', () => {
  const root = join(import.meta.dirname, '../../src/renderer');
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.tsx'));
  const buttons = files.flatMap((name) => {
    const source = readFileSync(join(root, name), 'utf8');
    return [...source.matchAll(/<(\w*[Bb]utton|ActionRow)\b(?:.*?<\/\1>|[^<]*?\/>)/gs)].map(([whole]) => whole);
  });
  const codes = buttons.flatMap((source) =>
    [...source.matchAll(/'(page\.[\w.]+)'/g)].flatMap(([, code]) => code ?? []),
  );
  expect(codes.length).toBeGreaterThan(40);
  const reserved = new Set<string>(RESERVED_LABELS);
  expect([...new Set(codes)].filter((code) => !reserved.has(code) && !NO_LABELS.has(code))).toEqual([]);
});
