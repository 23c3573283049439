import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'smol-toml';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CLIENT_IDS } from '../../src/main/protocol/client-names.js';
import { createHome, ENTRY, type Home } from '../support/command.js';

let home: Home;
beforeAll(() => {
  home = createHome();
});
afterAll(() => home.close());

/** Nothing on the search path, so that no real client is found or called. */
const setup = (...args: string[]) => home.run(['setup', ...args], { PATH: '/nowhere' });
const file = (name: string) => join(home.path, name);
const read = (name: string) => readFileSync(file(name), 'utf8');

/** With the programs of a private display on it, of which setup starts none. */
const here = (...args: string[]) => {
  const folder = file('display-programs');
  mkdirSync(folder, { recursive: true });
  for (const name of ['Xvfb', 'openbox', 'dbus-daemon']) writeFileSync(join(folder, name), '', { mode: 0o755 });
  return home.run(['setup', ...args], { PATH: folder });
};

/** In each format. */
const WRITTEN = [
  ['zed', '.config/zed/settings.json'],
  ['opencode', '.config/opencode/opencode.json'],
  ['goose', '.config/goose/config.yaml'],
  ['codex', '.codex/config.toml'],
] as const;

describe('[req:AP-S-1] chaperone setup', () => {
  it('[req:DS-10-5] writes absolute paths of this machine, once, and takes them away again', async () => {
    mkdirSync(file('.codex'));
    writeFileSync(file('.codex/config.toml'), '# mine\nmodel = "x"');
    const first = await setup('codex');
    expect(first).toMatchObject({ code: 0, stderr: '' });
    expect(first.stdout).toContain(file('.codex/config.toml.chaperone-backup'));
    expect(first.stdout).toMatch(/To undo: \S+ \S+index\.js setup codex --remove/);
    expect(parse(readFileSync(file('.codex/config.toml'), 'utf8'))).toEqual({
      model: 'x',
      mcp_servers: {
        chaperone: {
          command: process.execPath,
          args: [ENTRY, 'mcp', '--call-limit', '1740'],
          startup_timeout_sec: 30,
          tool_timeout_sec: 1800,
          env: { CHAPERONE_HOME: home.path },
        },
      },
    });
    expect((await setup('codex')).stdout).toBe('Codex: Chaperone is set up already.\n');
    expect((await setup('codex', '--remove')).stdout).toContain('removed Chaperone’s entry.');
    expect(readFileSync(file('.codex/config.toml'), 'utf8')).toBe('# mine\nmodel = "x"');
    expect((await setup('codex', '--remove')).stdout).toContain('no Chaperone entry');
  });

  it('[req:DS-10-5] --print changes nothing, and prints what setup would write', async () => {
    for (const client of CLIENT_IDS) {
      const printed = await setup(client, '--print');
      expect(printed.code).toBe(0);
      expect(printed.stdout).toContain(ENTRY);
    }
    for (const name of ['.claude.json', '.cursor', '.config', '.gemini', '.copilot', '.cline', '.codeium', '.junie'])
      expect(existsSync(file(name))).toBe(false);
  });

  it('[req:DS-10-5] --print with --scope project prints what setup would write there', async () => {
    const cursor = await setup('cursor', '--print', '--scope', 'project');
    expect(cursor.stderr).toMatch(/Cursor: merge into .*\/\.cursor\/mcp\.json:/);
    expect(cursor.stderr).not.toContain('~');
    expect((await setup('claude', '--print', '--scope', 'project')).stdout).toContain('add-json --scope project');
    expect(await setup('windsurf', '--print', '--scope', 'project')).toMatchObject({ code: 1, stdout: '' });
  });

  it('says what is wrong and what to do, and leaves the file', async () => {
    mkdirSync(file('.cursor'));
    writeFileSync(file('.cursor/mcp.json'), '{\n  "mcpServers": {,}\n}');
    const bad = await setup('cursor');
    expect(bad).toMatchObject({ code: 1, stdout: '' });
    expect(bad.stderr).toMatch(
      /mcp\.json is not valid: value expected in line 2, column \d+\. Nothing was changed\..*by hand: `(?!chaperone ).+ setup cursor --print`/,
    );
    expect(readFileSync(file('.cursor/mcp.json'), 'utf8')).toBe('{\n  "mcpServers": {,}\n}');
    const claude = await setup('claude');
    expect(claude).toMatchObject({ code: 1, stdout: '' });
    expect(claude.stderr).toMatch(/claude mcp add-json --scope user chaperone '\{.*\}'\n$/);
  });

  it('[req:AP-S-8] a new entry asks for a desktop of the agent’s own where this machine can give one', async () => {
    const args = async (...more: string[]) => {
      const done = await here('junie', ...more);
      expect(done).toMatchObject({ code: 0, stderr: '' });
      return { said: done.stdout, args: JSON.parse(read('.junie/mcp/mcp.json')).mcpServers.chaperone.args.slice(1) };
    };
    const added = await args();
    expect(added.args).toEqual(['mcp', '--desktop', 'own']);
    expect(added.said).toMatch(/desktop of its own\. .*: \S+ \S+index\.js setup junie --desktop current\n$/);
    const again = await args();
    expect(again.said).toContain('set up already');
    // Where the machine cannot give one any more, the entry keeps what it has.
    expect((await setup('junie')).stdout).toBe('Junie: Chaperone is set up already.\n');
    expect((await args('--desktop', 'current')).args).toEqual(['mcp']);
    expect((await args('--desktop', 'own')).args).toEqual(['mcp', '--desktop', 'own']);
    expect((await here('junie', '--remove')).stdout).not.toContain('--desktop');
  });

  it('[req:AP-S-8] an entry of an earlier setup is right as it is, and changed only where that is asked for', async () => {
    for (const [client, file] of WRITTEN) {
      await setup(client);
      const before = read(file);
      expect(before, client).not.toContain('--desktop');
      const same = await here(client);
      expect(same.stdout, client).toMatch(/set up already[\s\S]*--desktop own\n$/);
      expect(read(file), client).toBe(before);
      await here(client, '--desktop', 'own');
      expect(read(file).replaceAll(/\s/g, ''), client).toContain('"mcp","--desktop","own"');
      // A new place of the program, which the person asks to be written, changes nothing else of it.
      const moved = read(file).replaceAll(ENTRY, '/old/index.js');
      writeFileSync(home.path + '/' + file, moved);
      await here(client);
      expect(read(file), client).toContain(ENTRY);
      expect(read(file).replaceAll(/\s/g, ''), client).toContain('"mcp","--desktop","own"');
      await here(client, '--remove');
    }
  });

  it('[req:AP-S-8] --print and a client without a file show what would be written; a host elsewhere is left as it was', async () => {
    const printed = async (...more: string[]) => (await here(...more)).stdout;
    for (const client of CLIENT_IDS) expect(await printed(client, '--print'), client).toMatch(/--desktop[",\s]+own/);
    expect(await printed('cursor', '--print', '--desktop', 'current')).not.toContain('--desktop');
    expect(await printed('jetbrains')).toContain('"own"');
    expect(await printed('gemini', '--print', '--connect', 'ssh://far')).not.toContain('--desktop');
    expect(await printed('gemini', '--print', '--connect', 'ssh://far', '--desktop', 'own')).toContain('"own"');
    expect(await here('cursor', '--desktop', 'yours')).toMatchObject({ code: 2, stdout: '' });
  });

  it('[req:AP-S-7] a client without a file: what to paste is printed, and that nothing was written', async () => {
    const added = await setup('jetbrains');
    expect(added.code).toBe(1);
    expect(JSON.parse(added.stdout)).toHaveProperty('mcpServers.chaperone.args', [ENTRY, 'mcp']);
    expect(added.stderr).toMatch(/choose As JSON, and paste:\n[\s\S]*so nothing was written/);
    const removed = await setup('jetbrains', '--remove');
    expect(removed).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('so nothing was written') });
  });

  it('[req:AP-S-7] a scope that the client does not have is refused, and what it has is named', async () => {
    const refused = await setup('windsurf', '--scope', 'project');
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    expect(refused.stderr).toContain(file('.codeium/windsurf/mcp_config.json'));
    expect(existsSync(file('.codeium'))).toBe(false);
  });

  it('[req:RH-12] --connect registers the host of another machine, which is the one entry then', async () => {
    const written = async (...more: string[]) => {
      const { stderr } = await setup('gemini', ...more);
      expect(stderr).toBe('');
      return JSON.parse(readFileSync(file('.gemini/settings.json'), 'utf8')).mcpServers;
    };
    mkdirSync(file('.gemini'));
    const here = await written();
    const far = await written('--connect', 'ssh://ann@far:2222');
    const args = here.chaperone.args.toSpliced(2, 0, '--connect', 'ssh://ann@far:2222');
    expect(far).toEqual({ chaperone: { ...here.chaperone, args } });
    expect((await setup('gemini', '--connect', 'ssh://ann@far:2222')).stdout).toContain('already');
    const command = '/usr/bin/node /opt/chaperone.js';
    const printed = await setup('codex', '--print', '--connect', 'unix:///run/far/host.sock', '--command', command);
    expect(printed.stdout).toContain(`"mcp", "--connect", "unix:///run/far/host.sock", "--command", "${command}"`);
    expect(await written()).toEqual(here);
    for (const wrong of ['far', 'ssh://-oProxyCommand=x', 'ssh://a b', 'https://far'])
      expect(await setup('gemini', '--connect', wrong)).toMatchObject({ code: 2, stdout: '' });
    expect(await setup('gemini', '--command', 'chaperone')).toMatchObject({ code: 2, stdout: '' });
    expect(await setup('gemini', '--connect', 'ssh://far', '--command', 'x; y')).toMatchObject({ code: 2, stdout: '' });
    expect((await setup('gemini', '--remove')).stdout).toContain('removed');
  });
});
