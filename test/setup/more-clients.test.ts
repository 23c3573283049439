import { chmodSync, existsSync, lstatSync, mkdirSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import { dirname } from 'node:path';
import fc from 'fast-check';
import { parse as parseYaml } from 'yaml';
import { parse as parseJson } from 'jsonc-parser';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ClientId } from '../../src/main/protocol/index.js';
import { valueAt, withoutPath } from '../../src/main/setup/edit.js';
import { createMachine, LAUNCHER, type TestMachine } from './machine.js';
import { jsonc, missingLines, yaml } from './documents.js';

let machine: TestMachine;
beforeEach(() => {
  machine = createMachine();
});
afterEach(() => machine.close());

/** As people leave them: comments, trailing commas, other servers, odd spacing. */
const settings = (container: string) =>
  `// mine\n{\n\t"theme":   "Dark", // keep\n\t/* servers */\n\t"${container}": {\n\t\t"other": { "command": "x", "env": { "A": "\${B}" }, }, // theirs\n\t},\n\t"last": [1, 2,],\n}\n`;
const GOOSE = `# mine
GOOSE_PROVIDER: "anthropic"   # keep

extensions:
  # built in
  developer:
    bundled: true
    enabled: true
    timeout:   300

  memory: {enabled: false, type: builtin, name: 'memory'}
# below
GOOSE_TEXT: |
  extensions:
    chaperone: not an entry
`;
const SERVERS = ['mcpServers', 'chaperone'];
const SHORT = ['/opt/chaperone/index.js', 'mcp'];
const LONG = [...SHORT, '--call-limit', '1740'];

interface Client {
  id: ClientId;
  file: string;
  path: string[];
  /** What is written for {@link LAUNCHER}. */
  entry: Record<string, unknown>;
  project?: string;
}

const CLIENTS: Client[] = [
  { id: 'gemini', file: '.gemini/settings.json', path: SERVERS, entry: { command: '/opt/node', args: LONG, timeout: 1_800_000 }, project: '.gemini/settings.json' },
  { id: 'copilot', file: '.copilot/mcp-config.json', path: SERVERS, entry: { type: 'local', command: '/opt/node', args: SHORT, tools: ['*'] }, project: '.github/mcp.json' },
  { id: 'opencode', file: '.config/opencode/opencode.json', path: ['mcp', 'chaperone'], entry: { type: 'local', command: ['/opt/node', ...SHORT, '--call-limit', '50'], timeout: 120_000 }, project: 'opencode.json' },
  { id: 'goose', file: '.config/goose/config.yaml', path: ['extensions', 'chaperone'], entry: { enabled: true, type: 'stdio', name: 'chaperone', description: 'Chaperone', cmd: '/opt/node', args: LONG, envs: {}, env_keys: [], timeout: 1_800 } },
  { id: 'cline', file: '.cline/data/settings/cline_mcp_settings.json', path: SERVERS, entry: { type: 'stdio', command: '/opt/node', args: LONG, timeout: 1_800 } },
  { id: 'roo', file: '.config/Code/User/globalStorage/rooveterinaryinc.roo-cline/settings/mcp_settings.json', path: SERVERS, entry: { type: 'stdio', command: '/opt/node', args: LONG, timeout: 1_800 }, project: '.roo/mcp.json' },
  { id: 'windsurf', file: '.codeium/windsurf/mcp_config.json', path: SERVERS, entry: { command: '/opt/node', args: SHORT } },
  { id: 'zed', file: '.config/zed/settings.json', path: ['context_servers', 'chaperone'], entry: { command: '/opt/node', args: SHORT }, project: '.zed/settings.json' },
  { id: 'junie', file: '.junie/mcp/mcp.json', path: SERVERS, entry: { command: '/opt/node', args: SHORT }, project: '.junie/mcp/mcp.json' },
]; // prettier-ignore

const isYaml = (file: string) => file.endsWith('.yaml');
const parse = (file: string, text: string): unknown => (isYaml(file) ? parseYaml(text) : parseJson(text));
const contentFor = ({ file, path }: Client) => (isYaml(file) ? GOOSE : settings(path[0] ?? ''));

describe.each(CLIENTS.map((client) => [client.id, client] as const))('[req:AP-S-7] %s', (id, client) => {
  const { file, path, entry, project } = client;
  const content = contentFor(client);

  it('has exactly its entry in a new file of the person alone, which goes again', async () => {
    expect(await machine.register(id)).toMatchObject({ outcome: 'added', files: [{ path: machine.path(file), backup: null }] }); // prettier-ignore
    expect(parse(file, machine.read(file))).toEqual({ [path[0] ?? '']: { chaperone: entry } });
    expect(statSync(machine.path(file)).mode & 0o777).toBe(0o600);
    expect(await machine.look(id)).toEqual({ found: true, entry: 'ours', desktop: 'current', paste: null });
    expect(await machine.unregister(id)).toMatchObject({ outcome: 'removed' });
    expect(existsSync(machine.path(file))).toBe(false);
  });

  it('[req:AP-S-2] changes nothing else in the file, and gives back its bytes', async () => {
    machine.write(file, content);
    chmodSync(machine.path(file), 0o640);
    await machine.register(id);
    const text = machine.read(file);
    expect(missingLines(content, text)).toEqual([]);
    expect(withoutPath(parse(file, text), path)).toEqual(parse(file, content));
    expect(valueAt(parse(file, text), path)).toEqual(entry);
    expect(statSync(machine.path(file)).mode & 0o777).toBe(0o640);
    expect(await machine.register(id)).toMatchObject({ outcome: 'already', files: [] });
    await machine.unregister(id);
    expect(machine.read(file)).toBe(content);
    expect(await machine.unregister(id)).toMatchObject({ outcome: 'absent' });
  });

  it('[req:AP-S-2] keeps what came into the file since, and the variables of this host', async () => {
    machine.write(file, content);
    await machine.register(id);
    const late = isYaml(file) ? 'LATE: 1 # late\n' : '// late\n';
    machine.write(file, machine.read(file) + late);
    const launcher = { command: '/new/node', args: SHORT, env: { CHAPERONE_HOME: '/h o' } };
    expect(await machine.register(id, { launcher })).toMatchObject({ outcome: 'updated' });
    expect(missingLines(content + late, machine.read(file))).toEqual([]);
    expect(JSON.stringify(valueAt(parse(file, machine.read(file)), path))).toMatch(/new\/node.*\{"CHAPERONE_HOME":"\/h o"\}/); // prettier-ignore
    await machine.unregister(id);
    const left = machine.read(file);
    expect(missingLines(content + late, left)).toEqual([]);
    expect(parse(file, left)).toEqual(parse(file, content + late));
  });

  it('[req:AP-S-2] leaves a file alone that is read-only, to write and to remove, and says how it is done by hand', async () => {
    machine.write(file, content);
    const refused = { code: 'unreadable_file', message: expect.stringMatching(/cannot be written: it is read-only\. Nothing was changed\. .*by hand: .+/) }; // prettier-ignore
    chmodSync(machine.path(file), 0o444);
    await expect(machine.register(id)).rejects.toMatchObject(refused);
    expect(machine.read(file)).toBe(content);
    expect(existsSync(machine.path(`${file}.chaperone-backup`))).toBe(false);
    chmodSync(machine.path(file), 0o644);
    await machine.register(id);
    const registered = machine.read(file);
    chmodSync(machine.path(file), 0o444);
    await expect(machine.unregister(id)).rejects.toMatchObject(refused);
    expect(machine.read(file)).toBe(registered);
  });

  it('writes through a link, and refuses what it cannot read', async () => {
    const real = machine.write('dotfiles/config', content.replaceAll('\n', '\r\n'));
    mkdirSync(dirname(machine.path(file)), { recursive: true });
    symlinkSync(real, machine.path(file));
    await machine.register(id);
    expect(lstatSync(machine.path(file)).isSymbolicLink()).toBe(true);
    expect(machine.read('dotfiles/config').replaceAll('\r\n', '')).not.toContain('\n');
    await machine.unregister(id);
    for (const bad of ['a: [1', '"text"', Buffer.from([0x22, 0xff, 0x22])]) {
      machine.write('dotfiles/config', bad);
      await expect(machine.register(id)).rejects.toMatchObject({ message: expect.stringContaining('Nothing was changed') }); // prettier-ignore
      await expect(machine.unregister(id)).rejects.toThrow('Nothing was changed');
      expect(readFileSync(real)).toEqual(Buffer.from(bad));
      expect(await machine.look(id)).toMatchObject({ entry: 'unclear' });
    }
  });

  it('is set up in a project where it has a file for that, and says so where it has none', async () => {
    const scope = 'project';
    if (project === undefined) {
      await expect(machine.register(id, { scope })).rejects.toMatchObject({ code: 'no_scope', message: expect.stringContaining(machine.path(file)) }); // prettier-ignore
      await expect(machine.unregister(id, { scope })).rejects.toMatchObject({ code: 'no_scope' });
      expect(existsSync(machine.path('project'))).toBe(false);
      return;
    }
    const done = await machine.register(id, { scope });
    expect(done.files.map((one) => one.path)).toEqual([machine.path(`project/${project}`)]);
    expect(existsSync(machine.path(file))).toBe(false);
    await machine.unregister(id, { scope });
    expect(existsSync(machine.path(`project/${project}`))).toBe(false);
  });
});

it.each(CLIENTS.map((client) => [client.id, client] as const))(
  '[req:AP-S-2] %s gives any file its own bytes back',
  async (id, { file, path }) => {
    const [container = ''] = path;
    const documents = isYaml(file) ? yaml(container) : jsonc([container]);
    await fc.assert(
      fc.asyncProperty(documents, async (content) => {
        machine.write(file, content);
        await machine.register(id);
        expect(withoutPath(parse(file, machine.read(file)), path)).toEqual(
          withoutPath(parse(file, content) ?? {}, path),
        );
        await machine.unregister(id);
        expect(machine.read(file)).toBe(content);
      }),
      { numRuns: 25 },
    );
  },
);

describe('[req:AP-S-7] jetbrains', () => {
  it('has no file to write: nothing is touched, and what to paste is said', async () => {
    mkdirSync(machine.path('.config/JetBrains'), { recursive: true });
    for (const change of [machine.register, machine.unregister])
      await expect(change('jetbrains')).rejects.toMatchObject({ code: 'only_by_hand', message: expect.stringMatching(/nothing was written.*Model Context Protocol/) }); // prettier-ignore
    const { paste, ...state } = await machine.look('jetbrains');
    expect(state).toEqual({ found: true, entry: 'none', desktop: 'current' });
    expect(JSON.parse(paste ?? '')).toEqual({ mcpServers: { chaperone: LAUNCHER } });
  });
});

describe('[req:AP-S-7] opencode', () => {
  const FILE = '.config/opencode/opencode.jsonc';
  const SECOND =
    '{\n  // two\n  "mcp": { "servers": { "a": { "type": "remote" }, }, "timeout": { "startup": 1 } },\n}\n';

  it('gets the form of version 2 where the file has it, in the file that is there', async () => {
    machine.write(FILE, SECOND);
    await machine.register('opencode');
    const { mcp } = parseJson(machine.read(FILE)) as { mcp: { servers: Record<string, unknown> } };
    expect(Object.keys(mcp)).toEqual(['servers', 'timeout']);
    expect(mcp.servers['chaperone']).toEqual({ type: 'local', command: ['/opt/node', ...SHORT, '--call-limit', '50'], timeout: { execution: 120_000 } }); // prettier-ignore
    expect(await machine.look('opencode')).toMatchObject({ entry: 'ours' });
    expect(await machine.register('opencode')).toMatchObject({ outcome: 'already' });
    await machine.unregister('opencode');
    expect(machine.read(FILE)).toBe(SECOND);
  });

  it('a server called servers is one', async () => {
    machine.write(FILE, '{ "mcp": { "servers": { "type": "local", "command": ["x"] } } }');
    await machine.register('opencode');
    expect(parseJson(machine.read(FILE))).toHaveProperty('mcp.chaperone.type', 'local');
  });
});

describe('[req:AP-S-7] places that differ', () => {
  it('variables and earlier places of the client are followed', async () => {
    const earlier = '.config/VSCodium/User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json';
    machine.write(earlier, '{ "mcpServers": {} }');
    expect((await machine.register('cline')).files[0]?.path).toBe(machine.path(earlier));
    machine.write('.cline/data/settings/cline_mcp_settings.json', '{}');
    expect((await machine.register('cline')).files[0]?.path).toContain('.cline');
    Object.assign(machine.env, { COPILOT_HOME: machine.path('c'), GEMINI_CLI_HOME: machine.path('g') });
    expect((await machine.register('copilot')).files[0]?.path).toBe(machine.path('c/mcp-config.json'));
    expect((await machine.register('gemini')).files[0]?.path).toBe(machine.path('g/.gemini/settings.json'));
  });
});

describe('[req:AP-S-7] goose', () => {
  const FILE = '.config/goose/config.yaml';

  it.each([
    ['other_form', 'extensions: {a: {enabled: true}}\n'],
    ['other_form', 'extensions:\n  chaperone: text\n'],
    ['other_form', 'extensions:\n  - a\n'],
    ['other_form', 'extensions: &x\n  a: &y {}\nother: *x\n'],
    ['other_form', '{GOOSE_MODEL: x}\n'],
    ['invalid_file', 'a: 1\na: 2\n'],
    ['invalid_file', '- a\n'],
    ['invalid_file', 'a: 1\n---\nb: 2\n'],
  ])('refuses what it cannot keep: %s %j', async (code, content) => {
    machine.write(FILE, content);
    await expect(machine.register('goose')).rejects.toMatchObject({ code, message: expect.stringMatching(/by hand: .*setup goose --print/) }); // prettier-ignore
    expect(machine.read(FILE)).toBe(content);
  });

  it.each([
    'extensions:\n',
    'extensions: {} # none\nA: 1\n',
    '---\nA: 1',
    '# nothing\n',
    "'extensions':\n    a:\n        enabled: true",
  ])('reads %j', async (content) => {
    machine.write(FILE, content);
    await machine.register('goose');
    expect(parseYaml(machine.read(FILE))).toHaveProperty('extensions.chaperone.cmd', '/opt/node');
    await machine.unregister('goose');
    expect(machine.read(FILE)).toBe(content);
  });

  it('keeps the comments and keys that the person put into our entry', async () => {
    await machine.register('goose');
    const own = machine.read(FILE).replace('    timeout: 1800\n', '    # patient\n    available_tools: [see]\n    timeout: 5 # short\n\n'); // prettier-ignore
    machine.write(FILE, `${own}B: 2\n`);
    expect(await machine.register('goose')).toMatchObject({ outcome: 'updated' });
    expect(machine.read(FILE)).toContain('    # patient\n    available_tools: [see]\n    timeout: 1800\n\nB: 2\n');
    await machine.unregister('goose');
    expect(parseYaml(machine.read(FILE))).toEqual({ extensions: {}, B: 2 });
  });
});
