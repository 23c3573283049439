/** KeePassXC. Its own command line makes the databases. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';

const MASTER = 'correct horse 42';

/** `given`: the passwords that it asks for, in order. */
const cli = (given, ...args) =>
  execFileSync('keepassxc-cli', args, {
    input: given.map((one) => `${one}\n`).join(''),
    encoding: 'utf8',
    stdio: ['pipe', 'pipe', 'ignore'],
  });

function makeDatabase(path) {
  cli([MASTER, MASTER], 'db-create', '-q', '-t', '100', '-p', path);
  cli([MASTER, 'Tulpe/77!möwe'], 'add', '-q', '-u', 'anna', '-p', path, 'Giro');
}

const unlock = (app, path) => [
  ['press_key', { key: 'ctrl+o' }],
  ['automate_open_file_dialog', { application: app, file_path: path }],
  ['wait_element', { parent: app, role: 'button', title: 'Unlock' }],
  // The field for it has the focus.
  ['type_text', { text: MASTER }],
  ['press_key', { key: 'enter' }],
  ['wait_element', { parent: app, role: 'cell', title: 'Giro' }],
];

export const keepassxc = {
  packages: ['keepassxc', 'wmctrl'],
  id: 'org.keepassxc.KeePassXC',
  tasks: [
    {
      name: 'a database opened and locked',
      files: { 'bank.kdbx': makeDatabase },
      steps: ({ app, file }) => [
        ...unlock(app, file('bank.kdbx')),
        ['click_element', { parent: app, role: 'button', title: 'Lock Database' }],
      ],
      judge: async ({ ask }) => assert.match(await ask('wmctrl', '-l'), /bank.* \[Locked\] - KeePassXC/),
    },
  ],
};
