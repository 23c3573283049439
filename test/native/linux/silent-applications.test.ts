/** An application that owes an answer gets no further question. */
import { expect, test } from 'vitest';
import { DesktopError } from '../../../src/native/desktop.js';
import {
  type CallOptions,
  type Invoke,
  type Ref,
  SilentApplications,
} from '../../../src/native/linux/atspi/bus-calls.js';
import { verbatim } from '../../../src/messages/index.js';

const APP = ':1.7';
const refOf = (bus: string): Ref => ({ bus, path: '/root' });
const QUESTION = 'org.a11y.atspi.Collection.GetMatches';

/** `late`: questions that time out. Small ones are held until `answer`. */
function scene({ late }: { late: boolean }) {
  const sent: string[] = [];
  let [now, isLate] = [0, late];
  let given: AbortController | null = null;
  let answer = (): void => {};
  const invoke: Invoke = ({ bus }, member, { signal } = {}) => {
    sent.push(`${bus} ${member.slice(member.lastIndexOf('.') + 1)}`);
    if (member.endsWith('GetRole')) return new Promise((resolve) => (answer = () => resolve([1])));
    if (signal !== undefined)
      return new Promise((_, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason));
        given?.abort(new Error('nobody waits'));
      });
    return isLate ? Promise.reject(new DesktopError('not_responding', verbatim('late'))) : Promise.resolve(['found']);
  };
  const silence = new SilentApplications(refOf, () => now);
  return {
    sent,
    ask: (bus = APP, options: CallOptions = {}) => silence.ask(invoke, refOf(bus), QUESTION, options),
    act: () => silence.act(invoke, refOf(APP), 'org.a11y.atspi.Action.DoAction'),
    answer: () => answer(),
    pass: (ms: number) => (now += ms),
    recover: () => (isLate = false),
    /** A signal that fires while the question waits. */
    abort: () => (given = new AbortController()).signal,
    silence,
  };
}
const code = (asked: Promise<unknown>): Promise<unknown> => asked.catch((error: DesktopError) => error.code);

test('[req:HA-2] neither a question nor an act, once it was given time to catch up', async () => {
  const { sent, ask, act, pass } = scene({ late: true });
  expect(await code(ask())).toBe('not_responding');
  expect(sent.splice(0)).toEqual([`${APP} GetMatches`, `${APP} GetRole`]);
  pass(10_000);
  expect([await code(ask()), await code(act())]).toEqual(['not_responding', 'not_responding']);
  expect(sent).toEqual([]);
});

test('[req:HA-2] but a question that came shortly after is sent when it has answered', async () => {
  const { sent, ask, answer, recover } = scene({ late: true });
  await code(ask());
  sent.splice(0);
  recover();
  const waiting = ask();
  await Promise.resolve();
  expect(sent).toEqual([]);
  answer();
  expect(await waiting).toEqual(['found']);
  expect(await ask()).toEqual(['found']);
  expect(sent).toEqual([`${APP} GetMatches`, `${APP} GetMatches`]);
});

test('[req:HA-2] also where nobody waits for that answer any more', async () => {
  const { ask, pass, silence, abort } = scene({ late: false });
  await code(ask(APP, { signal: abort() }));
  pass(10_000);
  expect(silence.isSilent(APP)).toBe(true);
});

test('[req:HA-2] others are asked meanwhile, and what is no application is asked again', async () => {
  const { ask, recover, pass } = scene({ late: true });
  await code(ask());
  await code(ask('org.a11y.atspi.Registry'));
  pass(10_000);
  recover();
  expect([await code(ask()), await ask(':1.8'), await ask('org.a11y.atspi.Registry')]).toEqual([
    'not_responding',
    ['found'],
    ['found'],
  ]);
});
