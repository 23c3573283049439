import { compileSpawn } from '../support/spawn/standin.js';
import { disclaimingSupervisor } from '../support/supervisor.js';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parse as parseToml } from 'smol-toml';
import type { ClientId } from '../../src/main/protocol/index.js';
import { jsonc, toml } from './documents.js';
import { ownLauncher } from '../../src/main/cli/launcher.js';
import { writeEntry } from '../../src/main/setup/file.js';
import { JSONC } from '../../src/main/setup/jsonc.js';
import { createMachine, LAUNCHER, type TestMachine } from './machine.js';

let machine: TestMachine;
beforeEach(() => {
  machine = createMachine();
});
afterEach(() => machine.close());

const FILES: [ClientId, string, string][] = [
  ['codex', '.codex/config.toml', 'model = "x"\n'],
  ['cursor', '.cursor/mcp.json', '{\n  "mcpServers": {}\n}\n'],
  ['vscode', '.config/Code/User/mcp.json', '{\n\t// mine\n\t"servers": { "a": { "command": "b", }, },\n}\n'],
]; // prettier-ignore
const BACKUP = '.chaperone-backup';

describe.each(FILES)('[req:AP-S-1] %s', (client, file, content) => {
  it('is set up in a file that was not there, which goes again', async () => {
    const done = await machine.register(client);
    expect(done).toEqual({
      outcome: 'added',
      files: [{ path: machine.path(file), backup: null }],
      ownLimit: false,
      desktop: 'current',
    });
    expect(machine.read(file)).toContain('/opt/chaperone/index.js');
    expect(statSync(machine.path(file)).mode & 0o777).toBe(0o600);
    expect(await machine.look(client)).toMatchObject({ found: true, entry: 'ours' });
    expect(await machine.unregister(client)).toMatchObject({ outcome: 'removed' });
    expect(existsSync(machine.path(file))).toBe(false);
  });

  it('is set up once, leaves the file as it was beside it, and gives back its bytes', async () => {
    machine.write(file, content);
    chmodSync(machine.path(file), 0o640);
    const done = await machine.register(client);
    expect(done.files).toEqual([{ path: machine.path(file), backup: machine.path(file) + BACKUP }]);
    expect(machine.read(file + BACKUP)).toBe(content);
    expect(statSync(machine.path(file)).mode & 0o777).toBe(0o640);
    expect(statSync(machine.path(file) + BACKUP).mode & 0o777).toBe(0o640);
    const after = machine.read(file);
    expect(await machine.register(client)).toMatchObject({ outcome: 'already', files: [] });
    expect(machine.read(file)).toBe(after);
    await machine.unregister(client);
    expect(machine.read(file)).toBe(content);
    expect(existsSync(machine.path(file) + BACKUP)).toBe(false);
    expect(await machine.unregister(client)).toMatchObject({ outcome: 'absent', files: [] });
  });

  it('keeps what the person has put in our entry, and what came into the file since', async () => {
    machine.write(file, content);
    await machine.register(client);
    const own = client === 'codex' ? 'enabled = false\n' : '';
    const edited = client === 'codex' ? machine.read(file) + own + '\n[tui]\ntheme = "x"\n' : machine.read(file).replace(/"command": ?"\/opt\/node"/, '$&, "env": { "A": "b" }').replace('{', '{ "late": 1,'); // prettier-ignore
    machine.write(file, edited);
    const launcher = { command: '/new/node', args: ['/new/index.js', 'mcp'], env: { CHAPERONE_HOME: '/h' } };
    expect(await machine.register(client, { launcher })).toMatchObject({ outcome: 'updated' });
    const text = machine.read(file);
    expect(text).toContain('/new/node');
    expect(text).not.toContain('/opt/node');
    expect(text).toContain('CHAPERONE_HOME');
    expect(text).toContain(client === 'codex' ? 'enabled = false' : '"A": "b"');
    await machine.unregister(client);
    const left = machine.read(file);
    expect(left).toContain(client === 'codex' ? 'theme = "x"' : '"late": 1');
    expect(left).not.toContain('chaperone');
    expect(left).not.toContain('enabled');
  });

  it('a link stays a link; line ends and the mark at the beginning stay', async () => {
    const real = machine.write('dotfiles/config', `\ufeff${content.replaceAll('\n', '\r\n')}`);
    mkdirSync(join(machine.path(file), '..'), { recursive: true });
    symlinkSync(real, machine.path(file));
    expect((await machine.register(client)).files[0]?.path).toBe(real);
    expect(lstatSync(machine.path(file)).isSymbolicLink()).toBe(true);
    const text = machine.read('dotfiles/config');
    expect(text.startsWith('\ufeff')).toBe(true);
    expect(text.replaceAll('\r\n', '')).not.toContain('\n');
    await machine.unregister(client);
    expect(machine.read('dotfiles/config')).toBe(`\ufeff${content.replaceAll('\n', '\r\n')}`);
  });

  it.each([
    ['is invalid', 'a = = 1 {', 'invalid_file'],
    ['is no text', Buffer.from([0x22, 0xff, 0xfe, 0x22]), 'unreadable_file'],
  ])('refuses a file that %s, and leaves it', async (_, bad, code) => {
    machine.write(file, bad);
    await expect(machine.register(client)).rejects.toMatchObject({
      code,
      message: expect.stringContaining(machine.path(file)),
    });
    await expect(machine.unregister(client)).rejects.toMatchObject({ code });
    expect(readFileSync(machine.path(file))).toEqual(Buffer.from(bad));
    expect(existsSync(machine.path(file) + BACKUP)).toBe(false);
    expect(await machine.look(client)).toMatchObject({ entry: 'unclear' });
  });

  it('refuses a link that leads nowhere, and a folder', async () => {
    mkdirSync(join(machine.path(file), '..'), { recursive: true });
    symlinkSync(machine.path('nowhere'), machine.path(file));
    await expect(machine.register(client)).rejects.toMatchObject({ code: 'unreadable_file' });
    const other = createMachine();
    mkdirSync(other.path(file), { recursive: true });
    await expect(other.register(client)).rejects.toMatchObject({ code: 'unreadable_file' });
    other.close();
  });
});

it('[req:AP-S-2] any file gets its own bytes back', async () => {
  const cases: [ClientId, string, fc.Arbitrary<string>][] = [
    ['cursor', '.cursor/mcp.json', jsonc(['mcpServers'])],
    ['vscode', '.config/Code/User/mcp.json', jsonc(['servers'])],
    ['codex', '.codex/config.toml', toml('mcp_servers')],
  ];
  for (const [client, file, documents] of cases)
    await fc.assert(
      fc.asyncProperty(documents, async (content) => {
        machine.write(file, content);
        await machine.register(client);
        await machine.register(client);
        await machine.unregister(client);
        expect(machine.read(file)).toBe(content);
      }),
      { numRuns: 40 },
    );
});

describe('[req:AP-S-2] what cannot be kept is refused', () => {
  it.each([
    ['cursor', '.cursor/mcp.json', '{"mcpServers": {}, "mcpServers": {}}', 'invalid_file'],
    ['cursor', '.cursor/mcp.json', '{"mcpServers": null}', 'other_form'],
    ['cursor', '.cursor/mcp.json', '[]', 'invalid_file'],
    ['cursor', '.cursor/mcp.json', '{"mcpServers": {"chaperone": "x"}}', 'other_form'],
    ['codex', '.codex/config.toml', 'mcp_servers = { a = { command = "b" } }\n', 'other_form'],
    ['codex', '.codex/config.toml', '[mcp_servers]\nchaperone = { command = "x" }\n', 'other_form'],
    ['codex', '.codex/config.toml', '[[mcp_servers.chaperone]]\n', 'other_form'],
  ] as [ClientId, string, string, string][])('%s: %s %s', async (client, file, content, code) => {
    machine.write(file, content);
    await expect(machine.register(client)).rejects.toMatchObject({ code, message: expect.stringMatching(/by hand: .*setup \w+ --print/) }); // prettier-ignore
    expect(machine.read(file)).toBe(content);
  });

  it('tables of ours that lie apart all go, and nothing between them', async () => {
    const content =
      '[mcp_servers.chaperone]\ncommand = "x"\n# about a\n[a]\nb = 1\n[mcp_servers.chaperone.env]\nC = "d"\n';
    machine.write('.codex/config.toml', content);
    await machine.unregister('codex');
    expect(machine.read('.codex/config.toml')).toBe('# about a\n[a]\nb = 1\n');
    expect(parseToml(machine.read('.codex/config.toml'))).toEqual({ a: { b: 1 } });
  });
});

describe('[req:AP-S-1] claude', () => {
  const STATE = '.claude.json';
  const SETTINGS = '.claude/settings.json';

  it('is set up by its own command, and its limit for waiting calls in its settings', async () => {
    machine.addClaude();
    machine.write(STATE, '{"numStartups": 3, "mcpServers": {"mine": {"command": "x"}}}');
    machine.write(SETTINGS, '{"model": "opus"}\n');
    const done = await machine.register('claude');
    expect(done).toMatchObject({ outcome: 'added', ownLimit: false });
    expect(done.files.map(({ path }) => path)).toEqual([machine.path(STATE), machine.path(SETTINGS)]);
    const state = JSON.parse(machine.read(STATE)) as { numStartups: number; mcpServers: Record<string, unknown> };
    expect(state.numStartups).toBe(3);
    expect(state.mcpServers).toMatchObject({
      mine: { command: 'x' },
      chaperone: { timeout: 1_800_000, alwaysLoad: true },
    });
    expect(JSON.parse(machine.read(SETTINGS))).toEqual({
      model: 'opus',
      env: { CLAUDE_CODE_MCP_AUTO_BACKGROUND_MS: '0' },
    });
    expect(await machine.register('claude')).toMatchObject({ outcome: 'already', files: [] });
    expect(await machine.look('claude')).toEqual({ found: true, entry: 'ours', desktop: 'current', paste: null });
    expect(await machine.unregister('claude')).toMatchObject({ outcome: 'removed' });
    expect(machine.read(SETTINGS)).toBe('{"model": "opus"}\n');
    expect(JSON.parse(machine.read(STATE))).toMatchObject({ mcpServers: { mine: {} } });
    expect(machine.read(STATE)).not.toContain('chaperone');
  });

  it('a changed place of the command is put right, with what the person added kept', async () => {
    machine.addClaude();
    machine.write(STATE, '{"mcpServers": {"chaperone": {"command": "old", "env": {"A": "b"}}}}');
    expect(await machine.register('claude')).toMatchObject({ outcome: 'updated' });
    expect(JSON.parse(machine.read(STATE))).toMatchObject({
      mcpServers: { chaperone: { command: '/opt/node', env: { A: 'b' } } },
    });
  });

  it('puts the old entry back when its command fails half way', async () => {
    machine.addClaude();
    machine.write(STATE, '{"mcpServers": {"chaperone": {"command": "old"}}}');
    machine.write('bin/claude', machine.read('bin/claude').replace("if (act === 'add-json') {", "if (act === 'add-json') { if (!json.includes('old')) { console.error('no'); process.exit(1); }")); // prettier-ignore
    chmodSync(machine.path('bin/claude'), 0o755);
    await expect(machine.register('claude')).rejects.toMatchObject({ code: 'command_failed' });
    expect(JSON.parse(machine.read(STATE))).toEqual({ mcpServers: { chaperone: { command: 'old' } } });
  });

  it('[req:MS-2] its command does not run where macOS would lend it what this program may', async () => {
    const env = { STANDIN_RECORD: machine.path('record'), STANDIN_MODE: 'inherits' };
    const mac = createMachine('linux', disclaimingSupervisor(compileSpawn(), env));
    try {
      mac.addClaude();
      await expect(mac.register('claude')).rejects.toMatchObject({ code: 'command_failed' });
      expect(existsSync(mac.path(STATE))).toBe(false);
    } finally {
      mac.close();
    }
  });

  it('without its command nothing is touched, and the person is told what to run', async () => {
    await expect(machine.register('claude')).rejects.toMatchObject({
      code: 'no_command',
      message: expect.stringContaining('claude mcp add-json --scope user chaperone'),
    });
    expect(existsSync(machine.path(STATE))).toBe(false);
    expect(existsSync(machine.path(SETTINGS))).toBe(false);
  });

  it('a limit of the person’s own is left, and stays when the entry goes', async () => {
    machine.addClaude();
    const own = '{"env": {"CLAUDE_CODE_MCP_AUTO_BACKGROUND_MS": "5000"}}';
    machine.write(SETTINGS, own);
    expect(await machine.register('claude')).toMatchObject({ ownLimit: true });
    expect(machine.read(SETTINGS)).toBe(own);
    const same = own.replace('5000', '0');
    machine.write(SETTINGS, same);
    await machine.unregister('claude');
    expect(machine.read(SETTINGS)).toBe(same);
  });

  it('in a project its own files are written', async () => {
    const done = await machine.register('claude', { scope: 'project' });
    expect(done.files.map(({ path }) => path)).toEqual(['.mcp.json', '.claude/settings.local.json'].map((name) => machine.path(`project/${name}`))); // prettier-ignore
    await machine.unregister('claude', { scope: 'project' });
    expect(existsSync(machine.path('project/.mcp.json'))).toBe(false);
  });
});

describe('[req:AP-S-2] another program at the same file', () => {
  /** The other program writes after the file was read, `times` times. */
  const disturbed = (times: number) => {
    const file = machine.write('.cursor/mcp.json', '{"a": 0}');
    let left = times;
    const write: typeof JSONC.write = (text, path, value) => {
      if (left > 0) writeFileSync(file, `{"a": ${(left -= 1)}, "other": true}`);
      return JSONC.write(text, path, value);
    };
    const mode = { file: 0o600, folder: 0o700 };
    return writeEntry({ file, format: { ...JSONC, write }, path: ['mcpServers', 'x'], byHand: '', mode }, { b: 1 });
  };

  it('its change is noticed and kept', async () => {
    expect(await disturbed(1)).toMatchObject({ outcome: 'added' });
    expect(JSON.parse(machine.read('.cursor/mcp.json'))).toEqual({ a: 0, other: true, mcpServers: { x: { b: 1 } } });
  });

  it('where it goes on and on, nothing is written', async () => {
    await expect(disturbed(9)).rejects.toMatchObject({ code: 'changed_meanwhile' });
    expect(machine.read('.cursor/mcp.json')).toBe('{"a": 6, "other": true}');
  });
});

describe('which are here', () => {
  it('a folder or a command shows them; nothing is made by looking', async () => {
    for (const client of ['claude', 'codex', 'cursor', 'vscode'] as const)
      expect(await machine.look(client)).toEqual({ found: false, entry: 'none', desktop: 'current', paste: null });
    machine.write('.cursor/x', '');
    chmodSync(machine.write('bin/code', '#!/bin/sh\n'), 0o755);
    machine.write('bin/codex', 'not executable');
    machine.addClaude();
    const found = async (client: ClientId) => (await machine.look(client)).found;
    expect([await found('claude'), await found('codex'), await found('cursor'), await found('vscode')]).toEqual([true, false, true, true]); // prettier-ignore
    expect(existsSync(machine.path('.cursor/mcp.json'))).toBe(false);
  });

  it('an entry of another installation is told from ours', async () => {
    await machine.register('cursor', { launcher: { ...LAUNCHER, command: '/elsewhere' } });
    expect(await machine.look('cursor')).toMatchObject({ entry: 'other' });
  });
});

it('what starts the shim: Node and the command line, or the packaged program alone, whose files may move', () => {
  expect(ownLauncher('/opt/chaperone/dist/main/cli/index.js')).toEqual({
    command: process.execPath,
    args: ['/opt/chaperone/dist/main/cli/index.js', 'mcp'],
  });
  expect(ownLauncher('/tmp/.mount_x/resources/app.asar/dist/main/cli/index.js').args).toEqual(['mcp']);
});
