/** The language of the command line, by the environment it is started in. */
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
  expect(stdout).not.toMatch(/Usage|Options|choices|display help/);
  const main = await home.run(['--help'], { LANG: 'zh_CN.UTF-8' });
  expect(main.stdout).toMatch(/用法： chaperone[^]*命令：[^]*在这台电脑上/);
});

it('JSON is the same in every language', async () => {
  for (const args of [['policy', 'show'], ['evidence', 'verify'], ['doctor']]) {
    const [english, german] = await Promise.all(
      ['C', 'de_DE.UTF-8'].map((LANG) => home.run([...args, '--json'], { LANG })),
    );
    expect(german?.stdout).toBe(english?.stdout);
  }
});
