/** KeePassXC. Its own command line tells what is in a database. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';

const MASTER = 'correct horse 42';
const SECRET = 'Tulpe/77!möwe';

/** What it prints; the passwords that it asks for, in order. */
const cli = (given, ...args) =>
  execFileSync('keepassxc-cli', args, {
    input: given.map((one) => `${one}\n`).join(''),
    encoding: 'utf8',
    stdio: ['pipe', 'pipe', 'ignore'],
  });
const shown = (path, entry) => cli([MASTER], 'show', '-q', '-s', path, entry);

function makeDatabase(path) {
  cli([MASTER, MASTER], 'db-create', '-q', '-t', '100', '-p', path);
  cli([MASTER, SECRET], 'add', '-q', '-u', 'anna', '-p', path, 'Giro');
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
const write = (app, role, title, value) => ['write_element_value', { parent: app, role, title, value }];
const press = (app, title) => ['click_element', { parent: app, role: 'button', title }];
const secretFields = (app) => ['find_elements', { parent: app, role: 'text field' }];
const secret = (elements) => elements.filter(({ states }) => states.includes('secure'));

export const keepassxc = {
  packages: ['keepassxc'],
  id: 'org.keepassxc.KeePassXC',
  tasks: [
    {
      name: 'a database made',
      steps: ({ app, file }) => [
        press(app, 'Create new database'),
        write(app, 'text field', 'Database name field', 'Family'),
        press(app, 'Continue'),
        ['wait_element', { parent: app, title: 'Encryption Settings' }],
        press(app, 'Continue'),
        ['wait_element', { parent: app, role: 'button', title: 'Done' }],
        secretFields(app),
        ({ elements }) => ['write_element_value', { element_id: secret(elements)[0].elementId, value: MASTER }],
        (_, { elements }) => ['write_element_value', { element_id: secret(elements)[1].elementId, value: MASTER }],
        press(app, 'Done'),
        ['automate_save_file_dialog', { application: app, file_path: file('family.kdbx') }],
      ],
      judge: ({ file }) => assert.match(cli([MASTER], 'db-info', '-q', file('family.kdbx')), /Name: Family/),
    },
    {
      name: 'an entry added',
      files: { 'bank.kdbx': makeDatabase },
      steps: ({ app, file }) => [
        ...unlock(app, file('bank.kdbx')),
        press(app, 'New Entry'),
        write(app, 'text field', 'Title field', 'Library'),
        write(app, 'combo box', 'Username field', 'jürgen'),
        secretFields(app),
        ({ elements }) => ['write_element_value', { element_id: secret(elements)[0].elementId, value: 'read more 9' }],
        press(app, 'OK'),
        ['press_key', { key: 'ctrl+s' }],
      ],
      judge: ({ file }) =>
        assert.match(shown(file('bank.kdbx'), 'Library'), /Title: Library\nUserName: jürgen\nPassword: read more 9\n/),
    },
    {
      name: 'a password copied without being shown',
      files: { 'bank.kdbx': makeDatabase },
      steps: ({ app, file }) => [
        ...unlock(app, file('bank.kdbx')),
        ['click_element', { parent: app, role: 'cell', title: 'Giro' }],
        press(app, 'Copy Password'),
        ['get_clipboard', {}],
      ],
      // KeePassXC empties the clipboard after ten seconds.
      judge: async ({ ask, told }) => {
        assert.equal(await ask('xclip', '-selection', 'clipboard', '-o'), SECRET);
        assert.ok(!told.some((text) => text.includes(SECRET)), 'the agent was told the password');
      },
    },
    {
      name: 'a database locked',
      files: { 'bank.kdbx': makeDatabase },
      steps: ({ app, file }) => [...unlock(app, file('bank.kdbx')), press(app, 'Lock Database')],
      judge: async ({ ask }) => assert.match(await ask('wmctrl', '-l'), /bank.* \[Locked\] - KeePassXC/),
    },
    {
      name: 'an entry searched for and deleted',
      files: { 'bank.kdbx': makeDatabase },
      steps: ({ app, file }) => [
        ...unlock(app, file('bank.kdbx')),
        ['press_key', { key: 'ctrl+f' }],
        ['type_text', { text: 'giro' }],
        ['click_element', { parent: app, role: 'cell', title: 'Giro' }],
        // Into the recycle bin, which it does not ask about.
        press(app, 'Delete Entry'),
        ['press_key', { key: 'ctrl+s' }],
      ],
      judge: ({ file }) =>
        assert.match(cli([MASTER], 'ls', '-q', '-R', file('bank.kdbx')), /^Recycle Bin\/\n\s+Giro$/m),
    },
  ],
};
