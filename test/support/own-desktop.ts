/** A host on a person's desktop, a person at a paired page, and agents that ask for desktops of their own. */
import { readFile } from 'node:fs/promises';
import { expect } from 'vitest';
import type { HostOptions } from '../../src/main/host/index.js';
import type { Card } from '../../src/main/protocol/index.js';
import { startAgent, type TestAgent, type ToolAnswer } from './agent.js';
import { startHost, type TestHost } from './host.js';
import { openPage, press, type Person } from './person.js';

export interface OwnScene {
  chaperone: TestHost;
  person: Person;
  /** Another agent than those before, which asks for a desktop of its own. */
  agent(): Promise<TestAgent>;
  /** The same with its desktop given and open. */
  withDesktop(): Promise<TestAgent>;
  /** Answers the request for a desktop. */
  give(desktop: 'own' | 'shared'): Promise<Card>;
  /** The answer of a call that nobody may be asked about. */
  unasked(agent: TestAgent, name: string, args?: Record<string, unknown>): Promise<ToolAnswer>;
  /** The card of a call that must ask, and is then denied. Three denials do not pause its agent here. */
  asks(agent: TestAgent, name: string, args?: Record<string, unknown>): Promise<Card>;
  /** The answer of a call that must ask, and is allowed. */
  allowed(agent: TestAgent, name: string, args?: Record<string, unknown>): Promise<ToolAnswer>;
  close(): Promise<void>;
}

export async function openOwnScene(options: Partial<HostOptions>): Promise<OwnScene> {
  const chaperone = await startHost({ backend: 'linux', ownDesktopGraceMs: 200, ...options });
  const person = await openPage(chaperone.host.url, chaperone.host.pairingLink());
  const agents: TestAgent[] = [];

  const scene: OwnScene = {
    chaperone,
    person,
    async agent() {
      const made = await startAgent(chaperone.home, { cwd: chaperone.workspace, args: ['--desktop', 'own'], ownProcess: true }); // prettier-ignore
      agents.push(made);
      return made;
    },
    async withDesktop() {
      const made = await scene.agent();
      const [answer] = await Promise.all([made.call('list_windows'), scene.give('own')]);
      expect(answer.isError, answer.text).toBe(false);
      return made;
    },
    async give(desktop) {
      const { approval } = await person.next('approvalRequested');
      expect(approval).toMatchObject({ tool: 'use_desktop', desktops: true });
      press(person, approval, 'allow', { desktop });
      return approval;
    },
    async unasked(agent, name, args = {}) {
      const answer = await outcome(person, agent.call(name, args));
      if ('card' in answer) throw new Error(`${name} asked: ${JSON.stringify(answer.card.subject)}`);
      expect(answer.isError, answer.text).toBe(false);
      return answer;
    },
    async asks(agent, name, args = {}) {
      const call = agent.call(name, args);
      const answer = await outcome(person, call);
      if (!('card' in answer)) throw new Error(`${name} did not ask: ${answer.text}`);
      expect((await call).isError).toBe(true);
      person.send({ type: 'pauseAgent', id: answer.card.agent.id, on: false });
      return answer.card;
    },
    async allowed(agent, name, args = {}) {
      const call = agent.call(name, args);
      await person.answer('allow');
      return call;
    },
    async close() {
      await Promise.all(agents.map((one) => one.close()));
      person.close();
      await chaperone.close();
    },
  };
  return scene;
}

/** What comes first: the answer, or a request, which is denied. */
async function outcome(person: Person, call: Promise<ToolAnswer>): Promise<ToolAnswer | { card: Card }> {
  const seen = person.seen.length;
  const isNew = () => person.seen.slice(seen).find((one) => one.type === 'approvalRequested');
  for (;;) {
    const done = await Promise.race([call, new Promise<null>((resolve) => setTimeout(() => resolve(null), 20))]);
    const request = isNew();
    if (request?.type === 'approvalRequested') {
      const { approval } = await person.next('approvalRequested');
      press(person, approval, 'deny');
      return { card: approval };
    }
    if (done !== null) return done;
  }
}

/** The environment that the kernel has of a process. */
export async function environmentOf(pid: number): Promise<Map<string, string>> {
  const pairs = (await readFile(`/proc/${pid}/environ`, 'utf8')).split('\0').filter((pair) => pair.includes('='));
  return new Map(pairs.map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]));
}

/** Of the name of an application, as tools give it. */
export const pidOf = ({ value }: ToolAnswer): number => Number(/\d+$/.exec(String(value['name']))?.[0]);
