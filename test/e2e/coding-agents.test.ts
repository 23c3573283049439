/**
 * Claude Code and Codex as people use them, played by a scripted model, with a person who takes their time. `npm run clients` runs these:
 * the waits are real ones, longer than a minute.
 */
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { openSimulated, type SimulatedDesktop } from '../../src/native/simulated/index.js';
import { createMachine, type TestMachine } from '../setup/machine.js';
import { connectAgent, isInstalled, startCodingAgent, type CodingAgentId } from '../support/coding-agents.js';
import { on, startHost, type TestHost } from '../support/host.js';
import { openPage, settle, type Person } from '../support/person.js';
import { startModel, type ScriptedCall, type ScriptedModel } from '../support/scripted-model.js';

const AGENTS: CodingAgentId[] = ['claude', 'codex'];
const CLICK: ScriptedCall = { tool: 'click', args: { x: 760, y: 230 } };
const ASK: ScriptedCall = { tool: 'send_message', args: { text: 'Red or blue?' } };
const LARGE = {
  id: 'display-1',
  name: 'Large',
  frame: { x: 0, y: 0, width: 2560, height: 1440 },
  scale: 2,
  main: true,
};
const LONGEST_MS = 400_000;

interface Scene {
  desktop: SimulatedDesktop;
  chaperone: TestHost;
  person: Person;
  /** An agent of its own home, with Chaperone's entry as setup wrote it, changed by `edit` where given. */
  start(id: CodingAgentId, script: ScriptedCall[], edit?: (machine: TestMachine) => void): Promise<Started>;
}

interface Started {
  model: ScriptedModel;
  output: Promise<string>;
  kill(): Promise<void>;
}

async function withScene(
  use: (scene: Scene) => Promise<void>,
  options?: Parameters<typeof openSimulated>[0],
): Promise<void> {
  const desktop = openSimulated(options);
  const chaperone = await startHost(on(desktop));
  const person = await openPage(chaperone.host.url, chaperone.host.pairingLink());
  person.allowLooking();
  const closers: (() => unknown)[] = [];
  try {
    await use({
      desktop,
      chaperone,
      person,
      async start(id, script, edit) {
        const machine = createMachine();
        const model = await startModel(script);
        await connectAgent(id, machine, chaperone);
        edit?.(machine);
        const agent = startCodingAgent(id, { machine, chaperone, model });
        closers.unshift(() => agent.kill(), () => model.close(), () => machine.close()); // prettier-ignore
        return { model, ...agent };
      },
    });
  } finally {
    for (const close of closers) await close();
    person.close();
    await chaperone.close();
    await desktop.close();
  }
}

const presses = ({ desktop }: Scene): number => desktop.world.journal().filter(({ event }) => event === 'pointerup').length; // prettier-ignore
const nextCard = async (person: Person) =>
  (await person.next('approvalRequested', ({ approval }) => approval.effect !== 'disclose')).approval;
const personTakes = (seconds: number) => new Promise((resolve) => setTimeout(resolve, seconds * 1_000));

/** Changes the client's limit for a call, and when the shim gives a handle, in the entry that setup wrote. */
const withLimits = (id: CodingAgentId, seconds: number, handleAfter: number) => (machine: TestMachine) => {
  const { file, limit, as } = {
    claude: { file: '.claude.json', limit: '"timeout": 1800000', as: `"timeout": ${seconds * 1_000}` },
    codex: { file: '.codex/config.toml', limit: 'tool_timeout_sec = 1800', as: `tool_timeout_sec = ${seconds}` },
  }[id];
  const text = machine.read(file);
  expect(text).toContain(limit);
  machine.write(file, text.replace(limit, as).replace('"1740"', `"${handleAfter}"`));
};

describe.concurrent.each(AGENTS)('[req:DS-12-4] %s', (id) => {
  const run = it.runIf(isInstalled(id));

  run('connects, takes every tool of the list, and reads', { timeout: LONGEST_MS }, () =>
    withScene(async ({ start }) => {
      const { model, output } = await start(id, [{ tool: 'list_displays' }, { tool: 'list_applications' }]);
      expect(await output).toContain('Done.');
      expect(model.readings()[0]?.text).toContain('displays/display-1');
      expect(model.readings()[1]?.text).toContain('simulated.mail');
      expect(model.tools().filter((name) => name.startsWith('mcp__chaperone__')).length).toBeGreaterThan(70);
    }),
  );

  run('acts once the person has allowed it after 100 s', { timeout: LONGEST_MS }, () =>
    withScene(async (scene) => {
      const { model, output } = await scene.start(id, [CLICK]);
      const card = await nextCard(scene.person);
      await personTakes(100);
      expect(presses(scene)).toBe(0);
      await settle(scene.person, card, 'allow');
      expect(await output).toContain('Done.');
      expect(presses(scene)).toBe(1);
      expect(model.readings()).toHaveLength(1);
      expect(model.readings()[0]?.text).toContain('effect');
    }),
  );

  run('is told why the person said no', { timeout: LONGEST_MS }, () =>
    withScene(async (scene) => {
      const { model, output } = await scene.start(id, [CLICK]);
      await scene.person.answer('deny', { message: 'Use the other window.' });
      expect(await output).toContain('Done.');
      expect(presses(scene)).toBe(0);
      expect(model.readings()[0]?.text).toContain('Use the other window.');
    }),
  );

  run('sees a picture of a large display, of the size that is said beside it', { timeout: LONGEST_MS }, () =>
    withScene(
      async ({ start }) => {
        const { model, output } = await start(id, [{ tool: 'capture_screenshot' }]);
        expect(await output).toContain('Done.');
        const [reading] = model.readings();
        const [picture] = reading?.pictures ?? [];
        const { width, height } = await sharp(Buffer.from(picture?.data ?? '', 'base64')).metadata();
        expect(reading?.text).toMatch(new RegExp(`${width} ?[×x] ?${height}`));
      },
      { displays: [LARGE] },
    ),
  );

  run('has the reply that the person gave after two minutes', { timeout: LONGEST_MS }, () =>
    withScene(async ({ person, start }) => {
      const { model, output } = await start(id, [ASK]);
      const { ack_id } = await person.next('agentMessage');
      await personTakes(125);
      person.send({ type: 'ack', id: ack_id, message: 'Blue' });
      expect(await output).toContain('Done.');
      expect(model.readings()).toHaveLength(1);
      expect(model.readings()[0]?.text).toContain('Blue');
    }),
  );

  run('has an answer that came after it gave up, when it asks again', { timeout: LONGEST_MS }, () =>
    withScene(async ({ person, start }) => {
      let replied: () => void = () => undefined;
      const after = new Promise<void>((resolve) => (replied = resolve));
      const { model, output } = await start(id, [ASK, { ...ASK, after }], withLimits(id, 5, 1740));
      const { ack_id } = await person.next('agentMessage');
      await expect.poll(() => model.readings().length, { timeout: 60_000 }).toBe(1);
      expect(model.readings()[0]?.text).not.toContain('Blue');
      // Claude Code gives up some 100 ms before it says so; a reply that comes in between goes to the call that it gave up.
      await person.next('status', ({ status: { agents } }) => agents.every(({ state }) => state === 'idle'));
      person.send({ type: 'ack', id: ack_id, message: 'Blue' });
      await person.next('userMessage');
      replied();
      expect(await output).toContain('Done.');
      expect(model.readings()[1]?.text).toContain('Blue');
      expect(person.seen.filter(({ type }) => type === 'agentMessage')).toHaveLength(1);
    }),
  );

  run(
    'makes the same call again after it gave up, and what was allowed meanwhile is done once',
    { timeout: LONGEST_MS },
    () =>
      withScene(async (scene) => {
        let allowed: () => void = () => undefined;
        const after = new Promise<void>((resolve) => (allowed = resolve));
        const { model, output } = await scene.start(id, [CLICK, { ...CLICK, after }], withLimits(id, 5, 1740));
        const card = await nextCard(scene.person);
        await expect.poll(() => model.readings().length, { timeout: 60_000 }).toBe(1);
        await scene.person.next('activity', ({ activity }) => activity.tool === 'click');
        await settle(scene.person, card, 'allow');
        expect(presses(scene)).toBe(0);
        allowed();
        expect(await output).toContain('Done.');
        expect(model.readings()[1]?.text).toContain('effect');
        expect(presses(scene)).toBe(1);
        expect(scene.person.seen.filter((one) => one.type === 'approvalRequested' && one.approval.effect !== 'disclose')).toHaveLength(1); // prettier-ignore
      }),
  );

  run('goes on waiting with the handle that it got before its limit', { timeout: LONGEST_MS }, () =>
    withScene(async (scene) => {
      const resume: ScriptedCall = {
        tool: 'resume_call',
        args: (readings) => ({ call_id: /call_id\\?":\s*\\?"([\w-]+)/.exec(readings[0]?.text ?? '')?.[1] }),
      };
      const { model, output } = await scene.start(id, [CLICK, resume], withLimits(id, 60, 3));
      const card = await nextCard(scene.person);
      await expect.poll(() => model.readings().length, { timeout: 60_000 }).toBe(1);
      expect(model.readings()[0]?.text).toContain('awaiting_human');
      await settle(scene.person, card, 'allow');
      expect(await output).toContain('Done.');
      expect(presses(scene)).toBe(1);
      expect(model.readings()[1]?.text).toContain('effect');
    }),
  );

  run('does nothing once it was killed with a card open', { timeout: LONGEST_MS }, () =>
    withScene(async (scene) => {
      const { kill } = await scene.start(id, [CLICK]);
      const card = await nextCard(scene.person);
      await kill();
      await scene.person.next('status', ({ status }) => status.agents.length === 0);
      scene.person.send({ type: 'press', id: card.id, digest: card.digest });
      scene.person.send({ type: 'approval', id: card.id, digest: card.digest, decision: 'allow' });
      const refusal = await scene.person.next('error', ({ about }) => about === card.id);
      expect(refusal.code).toBe('agent_ended');
      expect(presses(scene)).toBe(0);
    }),
  );
});

it.runIf(AGENTS.every(isInstalled))(
  '[req:DS-12-4] both at once: each has its own card and its own answer',
  { timeout: LONGEST_MS },
  () =>
    withScene(async (scene) => {
      const claude = await scene.start('claude', [CLICK]);
      const cards = [await nextCard(scene.person)];
      const codex = await scene.start('codex', [CLICK]);
      cards.push(await nextCard(scene.person));
      // Where no installer of theirs puts them, their paths are their names.
      expect(cards.map(({ agent }) => agent.name)).toEqual([
        expect.stringMatching(/^\/.*\/claude-code\//),
        expect.stringMatching(/^\/.*\/codex$/),
      ]);
      const [claudes, codexs] = cards;
      if (claudes === undefined || codexs === undefined) throw new Error('unreachable');
      await settle(scene.person, codexs, 'deny', { message: 'Codex, wait.' });
      expect(await codex.output).toContain('Done.');
      await settle(scene.person, claudes, 'allow');
      expect(await claude.output).toContain('Done.');
      expect(codex.model.readings()[0]?.text).toContain('Codex, wait.');
      expect(claude.model.readings()[0]?.text).toContain('effect');
      expect(presses(scene)).toBe(1);
    }),
);
