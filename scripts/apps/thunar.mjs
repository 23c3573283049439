/** Thunar, the file manager of Xfce. */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** Leaves the location bar with the first file selected by its name. */
const goTo = (folder) => [
  ['press_key', { key: 'ctrl+l' }],
  ['press_key', { key: 'ctrl+a' }],
  ['type_text', { text: folder }],
  ['press_key', { key: 'enter' }],
];
/** Thunar's view of icons tells nothing of them, so they are read from the screen. */
const icon = (app, name) => ['click_text', { parent: app, text: name }];

/** From the middle of a name to the picture above it. */
const UP = 30;

export const thunar = {
  packages: ['thunar'],
  id: 'thunar',
  tasks: [
    {
      name: 'a file renamed',
      files: { 'draft.txt': 'draft' },
      steps: ({ app, folder }) => [
        ...goTo(folder),
        icon(app, 'draft.txt'),
        ['press_key', { key: 'f2' }],
        ['press_key', { key: 'ctrl+a' }],
        ['type_text', { text: 'Größe final.txt' }],
        ['press_key', { key: 'enter' }],
      ],
      judge: ({ file, read }) => {
        assert.equal(read('Größe final.txt'), 'draft');
        assert.ok(!existsSync(file('draft.txt')), 'the old name is still there');
      },
    },
    {
      name: 'a file cut and pasted into another folder',
      files: { 'letter.txt': 'letter', archive: null },
      steps: ({ app, folder }) => [
        ...goTo(folder),
        icon(app, 'letter.txt'),
        ['press_key', { key: 'ctrl+x' }],
        ...goTo(join(folder, 'archive')),
        ['press_key', { key: 'ctrl+v' }],
      ],
      judge: ({ file, read }) => {
        assert.equal(read('archive/letter.txt'), 'letter');
        assert.ok(!existsSync(file('letter.txt')), 'it is still where it was');
      },
    },
    {
      name: 'a folder made',
      steps: ({ folder }) => [
        ...goTo(folder),
        ['press_key', { key: 'ctrl+shift+n' }],
        ['press_key', { key: 'ctrl+a' }],
        ['type_text', { text: 'Reports' }],
        ['press_key', { key: 'enter' }],
      ],
      judge: ({ file }) => assert.ok(existsSync(file('Reports')), 'there is no such folder'),
    },
    {
      // A private desktop has no rubbish, so Thunar asks whether to delete for good.
      name: 'a file deleted for good',
      files: { 'old.txt': 'old', 'new.txt': 'new' },
      steps: ({ app, folder }) => [
        ...goTo(folder),
        icon(app, 'old.txt'),
        ['press_key', { key: 'delete' }],
        ['click_element', { parent: app, role: 'button', title: 'Delete' }],
      ],
      judge: ({ file, read }) => {
        assert.ok(!existsSync(file('old.txt')), 'it is still there');
        assert.equal(read('new.txt'), 'new');
      },
    },
    {
      name: 'a file dragged into a folder',
      files: { 'photo.txt': 'photo', album: null },
      steps: ({ app, folder }) => [
        ...goTo(folder),
        ['find_text', { parent: app, text: 'album' }],
        ['find_text', { parent: app, text: 'photo.txt' }],
        ({ matches: [from] }, { matches: [to] }) => [
          'drag',
          { start_x: from.x, start_y: from.y - UP, end_x: to.x, end_y: to.y - UP },
        ],
      ],
      judge: ({ file, read }) => {
        assert.equal(read('album/photo.txt'), 'photo');
        assert.ok(!existsSync(file('photo.txt')), 'it is still where it was');
      },
    },
  ],
};
