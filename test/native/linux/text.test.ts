/** Titles and clipboards in the encodings of X, written by libX11 and by xclip. */
import { execFile, spawn } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { decodeText, textRank } from '../../../src/native/linux/encoded-text.js';
import { eventually, openLinuxDesktop, type LinuxDesktop } from '../../support/linux-desktop.js';

/** A window whose title libX11 encodes. Prints the bytes, then waits. */
const TITLED = `
import ctypes, locale, sys
locale.setlocale(locale.LC_ALL, 'C.UTF-8')
x = ctypes.CDLL('libX11.so.6')
class Text(ctypes.Structure):
    _fields_ = [('value', ctypes.POINTER(ctypes.c_ubyte)), ('encoding', ctypes.c_ulong), ('format', ctypes.c_int), ('length', ctypes.c_ulong)]
x.XOpenDisplay.restype = ctypes.c_void_p
display = ctypes.c_void_p(x.XOpenDisplay(None))
for name in ('XDefaultRootWindow', 'XCreateSimpleWindow'): getattr(x, name).restype = ctypes.c_ulong
window = x.XCreateSimpleWindow(display, ctypes.c_ulong(x.XDefaultRootWindow(display)), 0, 0, 300, 200, 0, 0, 0)
text = Text()
lines = (ctypes.c_char_p * 1)(sys.argv[1].encode())
if x.Xutf8TextListToTextProperty(display, lines, 1, int(sys.argv[2]), ctypes.byref(text)) < 0: sys.exit('no such text')
x.XSetWMName(display, ctypes.c_ulong(window), ctypes.byref(text))
x.XMapWindow(display, ctypes.c_ulong(window))
x.XSync(display, 0)
print(bytes(text.value[:text.length]).hex(), flush=True)
sys.stdin.read()
`;
const STYLES = { COMPOUND_TEXT: 1, STRING: 0 } as const;
const TEXTS = [
  'Grüße', 'Привет, мир', 'Ελληνικά', '日本語テスト', '中文简体', '한국어', 'żółć', 'ไทย', 'שלום', '𝔘😀', '€ œ', 'ｶﾅ 丂', 'İstanbul', 'plain, ½ «x»',
]; // prettier-ignore

let linux: LinuxDesktop;
beforeAll(async () => {
  linux = await openLinuxDesktop({ width: 640, height: 480 });
});
afterAll(() => linux.close());

async function titled(text: string, style: keyof typeof STYLES): Promise<{ pid: number; bytes: Buffer }> {
  const child = spawn('/usr/bin/python3', ['-I', '-c', TITLED, text, String(STYLES[style])], {
    env: linux.session.env,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const bytes = await new Promise<string>((resolve) => child.stdout.once('data', (chunk) => resolve(String(chunk))));
  return { pid: child.pid ?? 0, bytes: Buffer.from(bytes.trim(), 'hex') };
}

describe('a title', () => {
  it.each(TEXTS)('in compound text is read: %s', async (text) => {
    const { pid, bytes } = await titled(text, 'COMPOUND_TEXT');
    expect(decodeText('COMPOUND_TEXT', bytes)).toBe(text);
    await eventually(async () => {
      const windows = await linux.desktop.windows(new AbortController().signal);
      expect(windows.find(({ app }) => app.pid === pid)?.title).toBe(text);
    });
  });

  it('in Latin-1 is read', async () => {
    const { bytes } = await titled('Grüße ½', 'STRING');
    expect(decodeText('STRING', bytes)).toBe('Grüße ½');
  });
});

it.each(['STRING', 'C_STRING'])('%s that is UTF-8 against its definition is read as such', (type) => {
  for (const text of TEXTS) expect(decodeText(type, Buffer.from(text))).toBe(text);
  expect(decodeText(type, Buffer.from('Grüße ½', 'latin1'))).toBe('Grüße ½');
});

describe('compound text', () => {
  const read = (...parts: (string | Buffer)[]) =>
    decodeText('COMPOUND_TEXT', Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : part)))); // prettier-ignore

  it.each([
    ['koi8-r\x02\xf0\xd2\xc9', 'При'],
    ['big5-0\x02\xa4\xa4\xa4\xe5', '中文'],
    ['microsoft-cp1251\x02\xcf\xf0', 'Пр'],
    ['iso8859-15\x02\xa4', '€'],
    ['no-such-set\x02abc', '\ufffd'],
  ])('has parts in encodings of other names: %j', (segment, text) => {
    const length = String.fromCharCode(0x80 | (segment.length >> 7), 0x80 | (segment.length & 0x7f));
    expect(read('a ', '\x1b%/1', length, segment, ' z')).toBe(`a ${text} z`);
  });

  it('may say how lines run, and end in the middle', () => {
    expect(read('\x9b2]', '\x1b-H', Buffer.from([0xf9, 0xec]), '\x9b]', ' ok')).toBe('של ok');
    for (const broken of ['a\x1b', 'a\x1b%', 'a\x1b%/1\x80', 'a\x1b%/1\xff\xffkoi8', 'a\x1b$(', 'a\x9b2']) expect(read(broken)).toMatch(/^a/);
    expect(read('a\x1b(Z??')).toBe('a\ufffd\ufffd');
  }); // prettier-ignore
});

describe('a clipboard', () => {
  const run = promisify(execFile);
  const utf16 = Buffer.from('Grüße 日本', 'utf16le');

  it.each<[string, Buffer, string]>([
    ['UTF8_STRING', Buffer.from('Grüße 日本'), 'Grüße 日本'],
    ['text/plain;charset=UTF-8', Buffer.from('Grüße 日本'), 'Grüße 日本'],
    ['text/plain; charset="utf-8"', Buffer.from('Grüße 日本'), 'Grüße 日本'],
    ['text/plain;charset=utf-16', Buffer.concat([Buffer.from([0xff, 0xfe]), utf16]), 'Grüße 日本'],
    ['text/plain;charset=ISO-8859-15', Buffer.from([0x47, 0xfc, 0xa4]), 'Gü€'],
    ['text/plain;charset=koi8-r', Buffer.from([0xf0, 0xd2, 0xc9]), 'При'],
    ['text/plain', Buffer.from('Grüße', 'latin1'), 'Grüße'],
    ['text/unicode', utf16, 'Grüße 日本'],
    ['TEXT', Buffer.from('Grüße 日本'), 'Grüße 日本'],
    ['COMPOUND_TEXT', Buffer.from('1b242842467c4b5c386c1b2842', 'hex'), '日本語'],
    ['STRING', Buffer.from('Grüße', 'latin1'), 'Grüße'],
    ['C_STRING', Buffer.from('bytes'), 'bytes'],
  ])('that offers only %s is read', async (target, content, text) => {
    const owner = spawn('xclip', ['-selection', 'clipboard', '-t', target, '-i', '-quiet'], {
      env: linux.session.env,
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    onTestFinished(() => void owner.kill('SIGKILL'));
    owner.stdin.end(content);
    await eventually(async () => {
      expect(await linux.desktop.readClipboard(new AbortController().signal)).toEqual({ text });
    });
  });

  it('of Chaperone gives text to programs that know compound text only', async () => {
    await linux.desktop.writeClipboard({ text: 'Grüße 日本' }, new AbortController().signal);
    const args = ['-selection', 'clipboard', '-t', 'COMPOUND_TEXT', '-o'];
    const { stdout } = await run('xclip', args, { env: linux.session.env, encoding: 'buffer' });
    expect(decodeText('COMPOUND_TEXT', stdout)).toBe('Grüße 日本');
  });

  it('is asked for what says most', () => {
    const targets = ['STRING', 'C_STRING', 'TEXT', 'COMPOUND_TEXT', 'text/plain', 'text/plain;charset=utf-8', 'UTF8_STRING'];
    expect(targets.toSorted((one, other) => (textRank(one) ?? 0) - (textRank(other) ?? 0))).toEqual([
      'UTF8_STRING', 'text/plain;charset=utf-8', 'text/plain', 'COMPOUND_TEXT', 'TEXT', 'STRING', 'C_STRING',
    ]); // prettier-ignore
    for (const other of ['image/png', 'TARGETS', 'text/html;charset=utf-8', 'text/plain;charset=no-such']) expect(textRank(other)).toBeNull();
  }); // prettier-ignore
});
