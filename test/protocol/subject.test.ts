/** Titles of acts in the three languages, from codes and parameters. */
import { expect, test } from 'vitest';
import {
  englishTitle,
  subjectWithoutPlace,
  recordedSubject,
  subjectSchema,
  title,
  titleParts,
  titleText,
  type Subject,
  type Title,
  type TitleOptions,
} from '../../src/main/protocol/index.js';
import { createFormatter, message } from '../../src/messages/index.js';
import de from '../../src/messages/de.json' with { type: 'json' };
import zh from '../../src/messages/zh.json' with { type: 'json' };
import { CLICK, dragging, typing } from '../support/titles.js';

const inGerman = createFormatter(de, 'de-DE');
const inChinese = createFormatter(zh, 'zh-CN');
const of = (act: Title, target: string | null, app: string | null, point?: string): Subject => ({
  ...subjectWithoutPlace(act, target),
  app,
  point,
});
const steps = (count: number, way: 'down' | 'right') => message('title_part.steps', { count, way });
const AREA = title('title.picture_area', { width: '300', height: '200', point: '(1, -2)' });

test.each<[Subject, TitleOptions, string, string, string]>([
  [of(CLICK, 'Send', 'Mail'), {}, 'Click “Send” in Mail', '„Send“ in Mail anklicken', '在 Mail 中点击“Send”'],
  [of(CLICK, 'Send', 'Mail'), { past: true, here: true }, 'Clicked “Send”', '„Send“ angeklickt', '点击了“Send”'],
  [of(CLICK, null, 'Mail'), {}, 'Click in Mail', 'In Mail klicken', '在 Mail 中点击'],
  [
    of(CLICK, null, 'Mail', '(640, 400)'),
    {},
    'Click at (640, 400) in Mail',
    'Bei (640, 400) in Mail klicken',
    '在 Mail 的 (640, 400) 处点击',
  ],
  [
    of(
      title('title.click', { button: 'right', count: 2, keys: message('title_part.held_keys', { chord: 'ctrl' }) }),
      'Send',
      null,
    ),
    {},
    'ctrl+right double-click “Send”',
    '„Send“ bei gedrücktem ctrl mit rechts doppelt anklicken',
    '按住 ctrl 并右键双击“Send”',
  ],
  [of(title('title.move_pointer'), null, null), { past: true }, 'Moved the pointer', 'Den Zeiger bewegt', '移动了指针'],
  [
    of(title('title.move_pointer'), 'Send', 'Mail'),
    { lower: true },
    'move the pointer to “Send” in Mail',
    'den Zeiger in Mail auf „Send“ bewegen',
    '在 Mail 中将指针移到“Send”',
  ],
  [
    of(title('title.scroll_then', { then: 'press' }), 'Last', 'Mail'),
    {},
    'Scroll to “Last” in Mail, then press',
    'In Mail zu „Last“ scrollen, dann drücken',
    '在 Mail 中滚动到“Last”，然后按下',
  ],
  [
    of(title('title.scroll', { keys: '', ways: [steps(3, 'down'), steps(1, 'right')] }), 'List', null),
    {},
    'Scroll 3 down and 1 right in “List”',
    '„List“ um 3 nach unten und um 1 nach rechts scrollen',
    '滚动“List”（向下 3 格和向右 1 格）',
  ],
  [of(title('title.open'), null, 'Galculator'), {}, 'Open Galculator', 'Galculator öffnen', '打开 Galculator'],
  [of(title('title.open'), '/opt/thing', null), {}, 'Open “/opt/thing”', '„/opt/thing“ öffnen', '打开“/opt/thing”'],
  [of(title('title.quit'), null, 'Mail'), { past: true, here: true }, 'Quit Mail', 'Mail beendet', '退出了 Mail'],
  [
    of(title('title.run_shell_command'), 'make test', null),
    {},
    'Run `make test`',
    '`make test` ausführen',
    '运行 `make test`',
  ],
  [
    of(title('title.run_shell_command'), 'make test', null),
    { past: true },
    'Ran `make test`',
    '`make test` ausgeführt',
    '运行了 `make test`',
  ],
  [
    of(dragging('(5, -9)'), 'Inbox', 'Mail'),
    {},
    'Drag “Inbox” to (5, -9) in Mail',
    '„Inbox“ nach (5, -9) in Mail ziehen',
    '在 Mail 中将“Inbox”拖动到 (5, -9)',
  ],
  [
    of(dragging('(5, 9)'), null, null, '(1, 2)'),
    {},
    'Drag from (1, 2) to (5, 9)',
    'Von (1, 2) nach (5, 9) ziehen',
    '从 (1, 2) 拖动到 (5, 9)',
  ],
  [
    of(typing(1), null, 'Mail'),
    {},
    'Type 1 character in Mail',
    'In Mail 1 Zeichen eintippen',
    '在 Mail 中输入 1 个字符',
  ],
  [
    of(title('title.read_controls'), null, 'Mail'),
    {},
    'Read the controls of Mail',
    'Die Bedienelemente in Mail lesen',
    '在 Mail 中读取控件',
  ],
  [
    of(AREA, null, 'Mail, Files'),
    {},
    'Take a screenshot of 300×200 at (1, -2) (shows Mail, Files)',
    'Ein Bild des Bildschirms mit Mail, Files aufnehmen, 300×200 bei (1, -2)',
    '拍摄屏幕上 (1, -2) 处的 300×200（含 Mail, Files）',
  ],
  [
    of(title('title.look_up', { what: 'macro' }), 'Letter', null),
    {},
    'Look up a macro: “Letter”',
    'Ein Makro nachschlagen: „Letter“',
    '查询一个宏：“Letter”',
  ],
])('[req:AP-W-2] [req:PG-11] a title says it as a person would: %#', (subject, use, english, german, chinese) => {
  expect(englishTitle(subject, use)).toBe(english);
  expect(titleText(inGerman, subject, use)).toBe(german);
  expect(titleText(inChinese, subject, use)).toBe(chinese);
});

test('[req:AP-W-2] names in a title stay pieces of their own, whatever they say', () => {
  const names = titleParts(inGerman, of(CLICK, '{app} Clicked the clipboard', 'Only this time')).filter(
    ({ kind }) => kind === 'value',
  );
  expect(names.map(({ text }) => text)).toEqual(['{app} Clicked the clipboard', 'Only this time']);
});

test('the record keeps a text beside the code, which stands for a code that is not known', () => {
  const kept = recordedSubject(of(CLICK, 'Send', 'Mail'));
  expect(kept.title).toEqual({ ...CLICK, text: 'Click “Send” in Mail' });
  expect(englishTitle(subjectSchema.parse(kept), { past: true })).toBe('Clicked “Send” in Mail');
  const later = subjectSchema.parse({ ...kept, title: { ...kept.title, code: 'title.of_a_later_version' } });
  expect(titleText(inGerman, later)).toBe('Click “Send” in Mail');
  const other = subjectSchema.parse({ ...kept, title: { ...kept.title, params: {} } });
  expect(titleText(inGerman, other)).toBe('Click “Send” in Mail');
});

test('a record older than the codes shows what it said', () => {
  const old = subjectSchema.parse({ verb: 'Look at', done: 'Looked at', target: 'Inbox', app: 'Mail', place: null });
  expect(englishTitle(old, { past: true })).toBe('Looked at: “Inbox” in Mail');
  expect(englishTitle(old)).toBe('Look at: “Inbox” in Mail');
}); // prettier-ignore
