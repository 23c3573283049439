/** From a person's Allow to the first input that the X server tells of, beside a program that asks nobody. */
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { join } from 'node:path';
import { root } from '../scripts/lib/run.mjs';
import { ENTRY, callerOf, connectAgent, desktopOf, environment, toEnd } from './processes.mjs';
import { inRounds, line } from './rounds.mjs';
import { fixture, parentOf } from './scene.mjs';

export async function allowing({ folder, own, stages }) {
  const home = environment(join(folder, 'home'));
  const allow = await askingHost(home, own);
  const { env } = desktopOf(home);
  const resultOf = callerOf(await connectAgent([ENTRY, 'mcp'], home, own), stages);
  const call = async (name, args) => (await resultOf(name, args)).structuredContent;
  const app = await fixture({ call, env }, own, join(folder, 'allow'), ['--title', 'Allow']);
  const { elements } = await call('find_elements', { parent: parentOf(app), role: 'AXCheckBox', title: 'Remind me' });
  const { x, y, width, height } = elements[0].frame;
  const point = { x: Math.round(x + width / 2), y: Math.round(y + height / 2) };
  const input = await hearInput(env, own);
  /** The act is asked for, allowed, and waited for; its time is that from the Allow to the first input. */
  const allowed = (tool, args) => async () => {
    const done = call(tool, args);
    const [at] = await Promise.all([allow('input'), done]);
    return input.since(at);
  };
  // A box that has the focus shows no blinking caret.
  await toEnd('xdotool', ['mousemove', `${point.x}`, `${point.y}`, 'click', '1'], { env });
  const taken = await inRounds(
    {
      key: allowed('press_key', { key: 'shift' }),
      click: allowed('click', point),
    },
    {
      xdotool: async () => {
        const at = process.hrtime.bigint();
        await toEnd('xdotool', ['key', 'Shift_L'], { env });
        return input.since(at);
      },
    },
  );
  await app.end();
  const beside = 'xdotool key, from its start to its first input';
  const row = (what, ours) => line({ what, beside, taken, ours, peer: (ms) => ms.xdotool });
  return [
    row('Allow pressed to first input event, press_key', (ms) => ms.key),
    row('Allow pressed to first input event, click at a point', (ms) => ms.click),
  ];
}

/** A host that asks, and its page. Resolves with what allows the next request of an effect, and tells when. */
export async function askingHost(env, own) {
  const script = join(root, 'bench/peers/host-with-page.mjs');
  const child = spawn(process.execPath, [script, env.CHAPERONE_HOME], { env, stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = new Promise((resolve) => child.once('close', resolve));
  own(() => (child.stdin.end(), ended));
  const said = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const next = async () => {
    const { value, done } = await said.next();
    if (done) throw new Error('the host ended');
    return value;
  };
  await next();
  return async (effect) => {
    child.stdin.write(`${effect}\n`);
    return BigInt(await next());
  };
}

/** A witness of all input. `since`: milliseconds from then (nanoseconds of CLOCK_MONOTONIC) to the first input after it. */
async function hearInput(env, own) {
  const script = join(root, 'bench/peers/raw-input.py');
  const child = spawn('/usr/bin/python3', [script], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  own(() => child.kill());
  const heard = [];
  const said = createInterface({ input: child.stdout });
  const listening = new Promise((resolve) => said.once('line', resolve));
  said.on('line', (text) => /^\d+$/.test(text) && heard.push(BigInt(text)));
  await listening;
  return {
    async since(from) {
      for (;;) {
        const first = heard.find((at) => at >= from);
        if (first !== undefined) return Number(first - from) / 1e6;
        await pause(5);
      }
    },
  };
}
