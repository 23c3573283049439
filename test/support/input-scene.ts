/** A real host on a private desktop, a real agent that may do everything, and the oracle: what the tests of the input tools share. */
import { startAgent, type TestAgent, type ToolAnswer } from './agent.js';
import { eventually } from './linux-desktop.js';
import type { HostOptions } from '../../src/main/host/index.js';
import { startHost, type TestHost } from './host.js';
import { openRawWindow, type RawWindow, type RawWindowOptions } from './sentinel.js';

export interface InputScene {
  chaperone: TestHost;
  agent: TestAgent;
  env: Record<string, string>;
  /** Throws the tool's own words when it fails. */
  act(name: string, args?: Record<string, unknown>): Promise<ToolAnswer>;
  /** The words of a failure; throws when there is none. */
  fails(name: string, args?: Record<string, unknown>): Promise<string>;
  /** On the screen and known to the host when this resolves. */
  raw(options?: RawWindowOptions): Promise<RawWindow>;
  /** Resolves with the frame once a window with this title is there. */
  window(title: string): Promise<{ name: string; x: number; y: number; width: number; height: number }>;
  close(): Promise<void>;
}

interface Listed {
  name: string;
  title: string;
  frame: { x: number; y: number; width: number; height: number };
}

export async function openInputScene(more: Partial<HostOptions> = {}): Promise<InputScene> {
  const chaperone = await startHost({ backend: 'linux', display: 'virtual', policy: 'unattended', ...more });
  const agent = await startAgent(chaperone.home, { cwd: chaperone.workspace });
  const env = chaperone.host.desktopEnv ?? {};
  const opened: RawWindow[] = [];

  const act = async (name: string, args: Record<string, unknown> = {}) => {
    const answer = await agent.call(name, args);
    if (answer.isError) throw new Error(`${name}: ${answer.text}`);
    return answer;
  };
  const window = (title: string) =>
    eventually(async () => {
      const { value } = await act('list_windows');
      const found = (value['windows'] as Listed[]).find((one) => one.title === title);
      if (found === undefined) throw new Error(`no window ${title}`);
      return { name: found.name, ...found.frame };
    });

  return {
    chaperone,
    agent,
    env,
    act,
    async fails(name, args = {}) {
      const answer = await agent.call(name, args);
      if (!answer.isError) throw new Error(`${name} did not fail: ${answer.text}`);
      return answer.text;
    },
    async raw(options) {
      const made = await openRawWindow(env, options);
      opened.push(made);
      await window(made.title);
      return made;
    },
    window,
    async close() {
      await agent.close();
      await Promise.all(opened.map((one) => one.close()));
      await chaperone.close();
    },
  };
}
