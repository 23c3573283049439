/** The language of the command line, by the environment it is started in. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createHome, type Home } from '../support/command.js';

let home: Home;
beforeAll(() => {
  home = createHome();
});
afterAll(() => home.close());

const GERMAN = 'Es läuft kein Host.';
const ENGLISH = 'No host is running.';
const CHINESE = '没有正在运行的主机。';

it.each([
  [{}, ENGLISH],
  [{ LANG: 'C' }, ENGLISH],
  [{ LANG: 'C.UTF-8' }, ENGLISH],
  [{ LANG: 'fr_FR.UTF-8' }, ENGLISH],
  [{ LANG: 'de_DE.UTF-8' }, GERMAN],
  [{ LANG: 'de' }, GERMAN],
  [{ LANG: 'de_DE.UTF-8', LC_MESSAGES: 'zh_CN.UTF-8' }, CHINESE],
  [{ LANG: 'de_DE.UTF-8', LC_MESSAGES: 'zh_CN.UTF-8', LC_ALL: 'C' }, ENGLISH],
  [{ LANG: 'de_DE.UTF-8', LC_MESSAGES: '', LC_ALL: '' }, GERMAN],
] as const)('with %j it says “%s”', async (env, sentence) => {
  const { code, stderr } = await home.run(['status'], env);
  expect({ code, stderr }).toMatchObject({ code: 3, stderr: expect.stringContaining(sentence) });
});

it('the help is in that language too', async () => {
  const { code, stdout } = await home.run(['host', '--help'], { LANG: 'de_AT.UTF-8' });
  expect(code).toBe(0);
  for (const words of ['Aufruf: chaperone host', 'Optionen:', 'diese Hilfe zeigen', '(eines von current, virtual)'])
    expect(stdout).toContain(words);
  expect(stdout).not.toMatch(/Usage|[Oo]ptions|choices|display help/);
  const main = await home.run(['--help'], { LANG: 'zh_CN.UTF-8' });
  expect(main.stdout).toMatch(/用法： chaperone \[选项\] \[命令\][^]*命令：[^]*在这台电脑上/);
});

const USAGE = [
  ['call', 'Missing argument <tool>.', 'Das Argument <tool> fehlt.', '缺少参数 <tool>。'],
  ['host --por 3', 'Unknown option --por. Did you mean --port?', 'Die Option --por gibt es nicht. Meinten Sie --port?', '没有选项 --por。您要找的是不是 --port？'],
  ['statsu', 'Unknown command statsu. Did you mean status?', 'Den Befehl statsu gibt es nicht. Meinten Sie status?', '没有命令 statsu。您要找的是不是 status？'],
  ['approvals grant x', 'Unknown command approvals grant.', 'Den Befehl approvals grant gibt es nicht.', '没有命令 approvals grant。'],
  ['policy chek x', 'Unknown command policy chek. Did you mean policy check?', 'Den Befehl policy chek gibt es nicht. Meinten Sie policy check?', '没有命令 policy chek。您要找的是不是 policy check？'],
  ['policy show x', 'Too many arguments for show: it takes none, you gave 1.', 'Zu viele Argumente für show: Möglich ist keines, angegeben ist eines.', 'show 的参数过多：不接受参数，却给出了 1 个。'],
  ['host --port', 'The option --port <n> needs a value.', 'Die Option --port <n> braucht einen Wert.', '选项 --port <n> 需要一个值。'],
  ['host --display big', 'Invalid value “big” for --display <which>. Use one of: current, virtual.', 'Ungültiger Wert „big“ für --display <which>. Möglich sind: current, virtual.', '--display <which> 的值“big”无效。可选值：current, virtual。'],
  ['evidence verify it', 'Too many arguments for verify: it takes none, you gave 1.', 'Zu viele Argumente für verify: Möglich ist keines, angegeben ist eines.', 'verify 的参数过多：不接受参数，却给出了 1 个。'],
] as const; // prettier-ignore

it.each(USAGE)('wrong usage: %s', async (line, english, german, chinese) => {
  const said = [
    ['C', english, 'Add --help'],
    ['de_DE.UTF-8', german, 'Mit --help zeigt'],
    ['zh_CN.UTF-8', chinese, '加上 --help'],
  ] as const;
  for (const [LANG, sentence, hint] of said) {
    const { code, stdout, stderr } = await home.run(line.split(' '), { LANG });
    expect({ code, stdout, lines: stderr.split('\n') }).toEqual({
      code: 2,
      stdout: '',
      lines: [sentence, expect.stringContaining(hint), ''],
    });
  }
});

it('what to do next is in that language as well, for what the command finds out by itself', async () => {
  const other = createHome();
  try {
    const state = join(other.path, 'state');
    mkdirSync(state, { mode: 0o700 });
    writeFileSync(join(state, 'bridge.json'), '{}', { mode: 0o644 });
    const { code, stderr } = await other.run(['call', 'desktop.health'], { LANG: 'de_DE.UTF-8' });
    expect(code).toBe(1);
    expect(stderr).toContain('enthält ein Token und ist für andere Benutzer lesbar');
    expect(stderr).toContain('Umgehen Sie das nicht.');
  } finally {
    await other.close();
  }
});

it('JSON is the same in every language', async () => {
  for (const args of [['policy', 'show'], ['evidence', 'verify'], ['doctor']]) {
    const [english, german] = await Promise.all(
      ['C', 'de_DE.UTF-8'].map((LANG) => home.run([...args, '--json'], { LANG })),
    );
    expect(german?.stdout).toBe(english?.stdout);
  }
});
