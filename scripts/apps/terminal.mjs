/** The terminal of Xfce. */
import assert from 'node:assert/strict';

const enter = ['press_key', { key: 'enter' }];
const command = (text) => [['type_text', { text }], enter];
/** `item` is in the menu `name`. */
const menu = (app, name, item) => [
  ['click_element', { parent: app, role: 'menu', title: name }],
  ['click_element', { parent: app, role: 'menu item', title: item }],
];

export const terminal = {
  packages: ['xfce4-terminal', 'wmctrl'],
  id: 'xfce4-terminal',
  tasks: [
    {
      name: 'a command run',
      files: { 'fruit.txt': 'pear\napple\ncherry\n' },
      steps: ({ folder }) => [
        ...command(`cd ${folder}`),
        ...command('sort fruit.txt | tr a-z A-Z > "sorted fruit.txt" && echo Grüße >> "sorted fruit.txt"'),
      ],
      judge: ({ read }) => assert.equal(read('sorted fruit.txt'), 'APPLE\nCHERRY\nPEAR\nGrüße\n'),
    },
    {
      name: 'what it shows copied and pasted',
      steps: ({ app, folder }) => [
        ...command(`cd ${folder}; clear; echo $((6 * 7))-fold`),
        ...menu(app, 'Edit', 'Select All'),
        ['press_key', { key: 'ctrl+shift+c' }],
        ...command('cat > copied.txt'),
        ['press_key', { key: 'ctrl+shift+v' }],
        enter,
        ['press_key', { key: 'ctrl+d' }],
      ],
      judge: ({ read }) => assert.match(read('copied.txt'), /^42-fold$/m),
    },
    {
      name: 'a second tab',
      steps: ({ folder }) => [
        ...command(`tty > ${folder}/first.txt`),
        ['press_key', { key: 'ctrl+shift+t' }],
        ...command(`tty > ${folder}/second.txt`),
        ['press_key', { key: 'ctrl+page_up' }],
        ...command(`tty > ${folder}/again.txt`),
        ['press_key', { key: 'ctrl+page_down' }],
        ...command('exit'),
      ],
      judge: ({ read }) => {
        assert.match(read('first.txt'), /^\/dev\/pts\/\d+\n$/);
        assert.equal(read('again.txt'), read('first.txt'));
        assert.notEqual(read('second.txt'), read('first.txt'));
      },
    },
    {
      name: 'the title set through the menu',
      steps: ({ app }) => [
        ...menu(app, 'Terminal', 'Set Title...'),
        ['press_key', { key: 'ctrl+a' }],
        ['type_text', { text: 'Nightly build' }],
        enter,
      ],
      judge: async ({ ask }) => assert.match(await ask('wmctrl', '-l'), /Nightly build/),
    },
    {
      name: 'a running program interrupted',
      steps: ({ folder }) => [
        ...command(`cd ${folder}; sleep 900; echo $? > code.txt`),
        ['press_key', { key: 'ctrl+c' }],
        ...command('echo next > next.txt'),
      ],
      judge: ({ read }) => assert.equal(read('next.txt'), 'next\n'),
    },
  ],
};
