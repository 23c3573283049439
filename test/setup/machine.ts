/** A person's folders, a search path with nothing on it but what a test puts there, and setup run on them. */
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import {
  register,
  unregister,
  inspectClient,
  type Launcher,
  type UserEnvironment,
  type ConfigScope,
} from '../../src/main/setup/index.js';
import type { SupervisorProgram } from '../../src/native/process/index.js';
import { testSupervisor } from '../support/supervisor.js';
import type { ClientId } from '../../src/main/protocol/index.js';

export const LAUNCHER: Launcher = { command: '/opt/node', args: ['/opt/chaperone/index.js', 'mcp'] };

export interface TestMachine extends UserEnvironment {
  path(name: string): string;
  read(name: string): string;
  write(name: string, content: string | Buffer): string;
  register(client: ClientId, more?: { scope?: ConfigScope; launcher?: Launcher }): ReturnType<typeof register>;
  unregister(client: ClientId, more?: { scope?: ConfigScope }): ReturnType<typeof unregister>;
  look(client: ClientId): ReturnType<typeof inspectClient>;
  /** A command `claude` that keeps entries as the real one does. */
  addClaude(): void;
  close(): void;
}

export function createMachine(
  platform: NodeJS.Platform = 'linux',
  supervisor: SupervisorProgram = testSupervisor(),
): TestMachine {
  const home = mkdtempSync(join(tmpdir(), 'chaperone-person-'));
  const env = { PATH: join(home, 'bin'), HOME: home };
  const machine: UserEnvironment = { platform, home, env, supervisor };
  const path = (name: string) => join(home, name);
  const options = (client: ClientId, more: { scope?: ConfigScope; launcher?: Launcher } = {}) => ({
    client,
    machine,
    launcher: LAUNCHER,
    scope: 'user' as const,
    cwd: path('project'),
    ...more,
  });
  const write = (name: string, content: string | Buffer) => {
    mkdirSync(dirname(path(name)), { recursive: true });
    writeFileSync(path(name), content);
    return path(name);
  };
  return {
    ...machine,
    path,
    read: (name) => readFileSync(path(name), 'utf8'),
    write,
    register: (client, more) => register(options(client, more)),
    unregister: (client, more) => unregister(options(client, more)),
    look: (client) => inspectClient(options(client)),
    addClaude: () => chmodSync(write('bin/claude', CLAUDE), 0o755),
    close: () => rmSync(home, { recursive: true, force: true }),
  };
}

const CLAUDE = `#!${process.execPath}
const fs = require('fs');
const file = process.env.HOME + '/.claude.json';
const state = fs.existsSync(file) ? JSON.parse(fs.readFileSync(file, 'utf8')) : {};
state.mcpServers ??= {};
const [mcp, act, flag, scope, name, json] = process.argv.slice(2);
if (mcp !== 'mcp' || flag !== '--scope' || scope !== 'user') process.exit(9);
if (process.env.CHAPERONE_TEST_FAIL === act) { console.error('Something is wrong'); process.exit(1); }
if (act === 'add-json') {
  if (state.mcpServers[name]) { console.error('MCP server ' + name + ' already exists in user config'); process.exit(1); }
  state.mcpServers[name] = JSON.parse(json);
} else if (act === 'remove') {
  if (!state.mcpServers[name]) { console.error('No MCP server named "' + name + '"'); process.exit(1); }
  delete state.mcpServers[name];
} else process.exit(9);
fs.writeFileSync(file, JSON.stringify(state, null, 2));
`;
