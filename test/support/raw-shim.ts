/** The shim as its own process, spoken to line by line: what a client sees that knows no SDK. */
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { ENTRY } from './command.js';

type Message = Record<string, unknown>;

export interface RawShim {
  ask(method: string, params: object): Promise<Message>;
  notify(method: string): void;
  /** Bytes as they are. */
  write(text: string): void;
  /** What came and answers nothing. */
  notifications(): Message[];
  /** Everything it said, line by line. */
  lines(): string[];
  /** Closes its input. */
  end(): void;
  kill(signal: NodeJS.Signals): void;
  /** Its exit code. */
  ended: Promise<number | null>;
  close(): Promise<unknown>;
}

/** The host takes who starts the shim for the agent: two of these are two agents. */
const AGENT = `
  const [command, ...args] = JSON.parse(process.argv[1]);
  require('node:child_process').spawn(command, args, { stdio: 'inherit' }).on('close', (code) => process.exit(code ?? 1));
`;

/** A shim whose agent is a process of its own and not the test. It ends with its input. */
export function startRawAgent(home: string, args: string[] = []): RawShim {
  const shim = startRawShim(home, args, (command) => ['-e', AGENT, JSON.stringify([process.execPath, ...command])]);
  return {
    ...shim,
    close() {
      shim.end();
      return shim.ended;
    },
  };
}

export function startRawShim(
  home: string,
  args: string[] = [],
  through: (command: string[]) => string[] = (command) => command,
): RawShim {
  const env = { PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? '', CHAPERONE_HOME: home };
  const child = spawn(process.execPath, through([ENTRY, 'mcp', ...args]), { env, stdio: ['pipe', 'pipe', 'ignore'] });
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  const waiting = new Map<unknown, (message: Message) => void>();
  const others: Message[] = [];
  const said: string[] = [];
  let count = 0;
  createInterface(child.stdout).on('line', (line) => {
    said.push(line);
    const message = JSON.parse(line) as Message;
    const resolve = waiting.get(message['id']);
    if (resolve === undefined) others.push(message);
    else resolve(message);
  });
  child.stdin.on('error', () => undefined);
  const say = (message: Message): void => void child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  return {
    ask(method, params) {
      const id = ++count;
      const answer = new Promise<Message>((resolve) => waiting.set(id, resolve));
      say({ id, method, params });
      return answer;
    },
    notify: (method) => say({ method }),
    write: (text) => void child.stdin.write(text),
    notifications: () => others,
    lines: () => said,
    end: () => child.stdin.end(),
    kill: (signal) => void child.kill(signal),
    ended,
    close() {
      child.kill('SIGKILL');
      return ended;
    },
  };
}
