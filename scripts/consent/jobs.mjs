/**
 * Ordinary jobs, call by call. `packages` bring the application, `task` is what an agent asks for first, where it asks for a task,
 * and `judge` throws where the job was not done. `applications`: entries of programs that Debian does not bring.
 */
import assert from 'node:assert/strict';
import { join } from 'node:path';

const key = (name) => ['press_key', { key: name }];
const write = (parent, title, value) => ['write_element_value', { parent, title, value }];
const button = (parent, title) => ['click_element', { parent, role: 'button', title }];
const run = (command, ...args) => ['execute_shell_command', { command, args }];
const picture = ['capture_window_screenshot', {}];
const started = ({ name }) => name;

const LETTER = 'Dear Ms Grey,\n\nyour order of Mai is ready.\nWe open in Mai at nine.\n';

const ORDER = `<title>Order</title><h1>Order</h1><form method="post">${['Name', 'Street', 'Town', 'Note']
  .map((name) => `<p><label>${name} <input name="${name.toLowerCase()}"></label></p>`)
  .join('')}<button>Submit</button></form>`;

export const JOBS = {
  letter: {
    name: 'a letter written, searched and saved in Mousepad',
    packages: ['mousepad'],
    task: { purpose: 'Write a letter in Mousepad and save it.', apps: ['Mousepad'] },
    steps: ({ folder }) => {
      let app = '';
      return [
        ['open_application', { application_id: 'mousepad' }],
        (last) => ((app = started(last)), ['type_text', { text: LETTER }]),
        () => ['find_elements', { parent: app, role: 'text' }],
        key('ctrl+r'),
        ['type_text', { text: 'Mai' }],
        key('tab'),
        ['type_text', { text: 'May' }],
        () => ['set_element_state', { parent: app, title: 'Replace all in:', checked: true }],
        () => button(app, 'Replace'),
        () => button(app, 'Close'),
        key('ctrl+s'),
        () => ['automate_save_file_dialog', { application: app, file_path: join(folder, 'letter.txt') }],
      ];
    },
    judge: ({ read }) => assert.equal(read('letter.txt').trimEnd(), LETTER.replaceAll('Mai', 'May').trimEnd()),
  },
  order: {
    name: 'a form on a local page filled in and submitted in Chromium, three pictures',
    packages: ['chromium'],
    pages: { '/order': ORDER },
    task: (url) => ({ purpose: 'Fill in the order form.', apps: ['Chromium'], sites: [url] }),
    steps: ({ url }) => {
      let app = '';
      return [
        ['open_url', { url: `${url}/order`, application: 'chromium' }],
        (last) => ((app = started(last)), ['wait_element', { parent: app, role: 'button', title: 'Submit' }]),
        picture,
        () => write(app, 'Name', 'Jürgen Łuk'),
        () => write(app, 'Street', 'High Street 5'),
        () => write(app, 'Town', 'Zürich'),
        () => write(app, 'Note', 'Ring twice'),
        picture,
        () => button(app, 'Submit'),
        picture,
      ];
    },
    judge: ({ posts }) => {
      const given = Object.fromEntries(new URLSearchParams(posts.at(-1)));
      assert.deepEqual(given, { name: 'Jürgen Łuk', street: 'High Street 5', town: 'Zürich', note: 'Ring twice' });
    },
  },
  commands: {
    name: 'five commands run and a file opened',
    packages: ['git', 'mousepad'],
    task: { purpose: 'Look at the project and open its notes.', apps: ['Mousepad'] },
    files: { 'notes.txt': 'Notes of the project\n' },
    steps: ({ folder }) => [
      run('git', '--version'),
      run('ls', '-l', folder),
      run('cat', join(folder, 'notes.txt')),
      run('wc', '-l', join(folder, 'notes.txt')),
      run('grep', '-n', 'project', join(folder, 'notes.txt')),
      ['open_application', { application_id: 'mousepad' }],
      key('ctrl+o'),
      (_, { name }) => ['automate_open_file_dialog', { application: name, file_path: join(folder, 'notes.txt') }],
      ['find_elements', { role: 'text', value: 'Notes of the project' }],
    ],
    judge: ({ told }) => assert.match(told.join('\n'), /Notes of the project/),
  },
  looks: {
    name: 'two applications and the list of windows looked at, in one go',
    packages: ['mousepad', 'galculator'],
    task: { purpose: 'Look at what is open.', apps: ['Mousepad', 'Galculator'] },
    steps: () => [
      ['open_application', { application_id: 'mousepad' }],
      ['open_application', { application_id: 'galculator' }],
      (last, earlier) => [
        ['list_windows', {}],
        ['get_element_tree', { parent: last.name }],
        ['get_element_tree', { parent: earlier.name }],
      ],
    ],
    judge: ({ told }) => assert.match(told.join('\n'), /Mousepad/),
  },
  form: {
    name: 'a form in a GTK 4 application, with a picture after each step',
    packages: ['python3-gi', 'gir1.2-gtk-4.0'],
    form: true,
    task: { purpose: 'Fill in the address.', apps: ['Address form'] },
    steps: () => {
      let app = '';
      const seen = (...step) => [...step, picture];
      return [
        ...seen(['open_application', { application_id: 'dev.chaperone.form' }]),
        (_, { name }) => ((app = name), write(app, 'Name', 'Jürgen Łuk')),
        picture,
        ...seen(() => write(app, 'Street', 'High Street 5')),
        ...seen(() => write(app, 'Town', 'Zürich')),
        ...seen(() => ['set_element_state', { parent: app, title: 'Gift wrap', checked: true }]),
        ...seen(() => ['click_element', { parent: app, title: 'Notes' }]),
        ...seen(['type_text', { text: 'Ring twice.\nThen wait.' }]),
        ...seen(() => button(app, 'Save')),
      ];
    },
    judge: ({ read }) =>
      assert.equal(
        read('address.txt'),
        'Name=Jürgen Łuk\nStreet=High Street 5\nTown=Zürich\ngift=True\nRing twice.\nThen wait.',
      ),
  },
};
