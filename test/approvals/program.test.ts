import { describe, expect, it } from 'vitest';
import { choicesFor } from '../../src/main/approvals/choices.js';
import { presetPolicy } from '../../src/main/approvals/index.js';
import { asked, rules, store } from './grant-store.js';
import { call, press, world } from './support.js';

const mail = { id: 'org.example.mail', name: 'Mail', program: '/usr/bin/mail' };
const borrowed = { ...mail, program: '/tmp/mail' };
const unknown = { ...mail, program: '' };

describe('[req:ID-1] a grant', () => {
  it('is for the program that the kernel names, whatever another one calls itself', () => {
    const { grants } = store();
    const grant = grants.add('session', asked({ app: mail }));
    expect(grants.match(asked({ app: mail }))?.id).toBe(grant.id);
    for (const app of [borrowed, unknown, { id: mail.id, name: mail.name }])
      expect(grants.match(asked({ app })), JSON.stringify(app)).toBeNull();
  });

  it('is neither offered nor given where the program is not known', () => {
    expect(choicesFor(asked({ app: unknown }), [], rules).map(({ kind }) => kind)).toEqual(['once']);
    expect(() => store().grants.add('time', asked({ app: unknown }))).toThrow('no grant');
  });

  it('is never “always” for a terminal under an innocent window class', () => {
    const app = { id: 'innocent', name: 'Innocent', program: '/usr/bin/xterm', otherIds: ['xterm'] };
    expect(choicesFor(asked({ app }), [], rules).map(({ kind }) => kind)).not.toContain('always');
    expect(() => store().grants.add('always', asked({ app }))).toThrow('always');
  });
});

it('[req:ID-1] what may be seen of an application is not remembered for another program under its id', async () => {
  const w = world();
  const look = (app: typeof mail) => call(w.approvals, { effect: 'disclose', app });
  const first = look(mail);
  press(w, 'allow');
  await first.decision;
  expect(await look(mail).decision).toMatchObject({ kind: 'allowed', where: 'session' });
  const other = look(borrowed);
  expect(await other.state()).toBe('pending');
  other.end('withdraw');
  const untold = look(unknown);
  press(w, 'allow');
  await untold.decision;
  expect(await look(unknown).state()).toBe('pending');
});

it('[req:ID-2] an exclusion holds under every id that the application goes by', async () => {
  const w = world({ policy: { ...presetPolicy('unattended'), excludedApps: ['org.keepassxc.KeePassXC'] } });
  const renamed = { id: 'notes', name: 'Notes', program: '/usr/bin/keepassxc', otherIds: ['org.keepassxc.keepassxc'] };
  expect(await call(w.approvals, { app: renamed }).decision).toMatchObject({ kind: 'denied', reason: 'policy' });
});
