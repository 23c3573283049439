/** What the command line may ask about GABP applications. An agent, and what it has started, may only see which there are. */
import * as z from 'zod';
import type { GabpApps } from '../gabp/index.js';
import { parseInput } from '../pipeline/define.js';
import type { Caller } from '../pipeline/ports.js';
import { WireError } from '../protocol/index.js';
import type { LinkRefusal } from './pairing/link-permissions.js';
import { message } from '../../messages/index.js';

export type AdminApps = Pick<GabpApps, 'list' | 'start' | 'stop' | 'log'>;

const nameSchema = z.strictObject({ name: z.string().max(100) });

type AdminMethod = (caller: Caller, params: unknown) => unknown;

/** `doubt`: why the caller may not be the person at a terminal. Whoever is not known to be that gets a card for each start. */
export function appMethods(apps: AdminApps, doubt: (caller: Caller) => LinkRefusal | null): [string, AdminMethod][] {
  const forPerson =
    (method: string, work: (name: string, caller: Caller) => unknown): AdminMethod =>
    (caller, params) => {
      const { name } = parseInput(nameSchema, params, method);
      if (doubt(caller) === 'agent') throw onlyPerson();
      return work(name, caller);
    };
  const named = (method: string, work: (name: string, caller: Caller) => unknown): [string, AdminMethod] => [
    method,
    forPerson(method, work),
  ];
  return [
    ['admin/apps', () => ({ apps: apps.list() })],
    named('admin/apps/start', async (name, caller) => {
      // The card goes on where the command line has ended: what is confirmed on it is the entry.
      await apps.start(name, { caller, always: doubt(caller) !== null }, new AbortController().signal);
      return { started: true };
    }),
    named('admin/apps/stop', async (name, caller) => {
      await apps.stop(name, caller);
      return { stopped: true };
    }),
    named('admin/apps/log', (name) => ({ lines: apps.log(name) })),
  ];
}

const onlyPerson = (): WireError =>
  new WireError('DESKTOP_CONFIRM_REQUIRED', message('apps.only_person'), {
    reason: 'agent',
    next: 'Ask the person with send_message.',
  });
