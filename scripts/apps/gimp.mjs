/** GIMP, which is made with GTK 2. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { colourAt, HALVES, pictureIs } from './images.mjs';

const open = (app, path) => [
  ['press_key', { key: 'ctrl+o' }],
  ['automate_open_file_dialog', { application: app, file_path: path }],
];
const menu = (app, ...names) =>
  names.map((title, index) => [
    'click_element',
    { parent: app, role: index === names.length - 1 ? 'menu item' : 'menu', title },
  ]);
/** GIMP asks how the picture is to be written. */
const exportAs = (app, path) => [
  ['press_key', { key: 'ctrl+shift+e' }],
  ['automate_save_file_dialog', { application: app, file_path: path }, 'asked'],
  ({ dialog }) => ['click_element', { element_id: dialog.buttons.find(({ title }) => title === 'Export').element_id }],
];

export const gimp = {
  packages: ['gimp', 'libgail-common', 'libatk-adaptor', 'imagemagick'],
  id: 'gimp',
  discards: 'Discard Changes',
  tasks: [
    {
      name: 'an image resized and exported as PNG',
      files: { 'halves.ppm': HALVES },
      steps: ({ app, file }) => [
        ...open(app, file('halves.ppm')),
        ...menu(app, 'Image', 'Scale Image...'),
        // The focus is in the field of the width; the height follows.
        ['press_key', { key: 'ctrl+a' }],
        ['type_text', { text: '80' }],
        ['press_key', { key: 'tab' }],
        ['click_element', { parent: app, role: 'button', title: 'Scale' }],
        ...exportAs(app, file('large.png')),
      ],
      judge: async ({ file }) => assert.equal(await pictureIs(file('large.png'), '%m %w %h'), 'PNG 80 60'),
    },
    {
      name: 'an image mirrored through the menu, exported as PNG',
      files: { 'halves.ppm': HALVES },
      steps: ({ app, file }) => [
        ...open(app, file('halves.ppm')),
        ...menu(app, 'Image', 'Transform', 'Flip Horizontally'),
        ...exportAs(app, file('mirrored.png')),
      ],
      judge: async ({ file }) => assert.match(await colourAt(file('mirrored.png'), 2, 2), /red|255,0,0/),
    },
    {
      name: 'colours inverted, exported as PNG',
      files: { 'halves.ppm': HALVES },
      steps: ({ app, file }) => [
        ...open(app, file('halves.ppm')),
        ...menu(app, 'Colors', 'Invert'),
        ...exportAs(app, file('inverted.png')),
      ],
      judge: async ({ file }) => assert.match(await colourAt(file('inverted.png'), 2, 2), /yellow|255,255,0/),
    },
    {
      name: 'an image turned to grey, exported as JPEG',
      files: { 'halves.ppm': HALVES },
      steps: ({ app, file }) => [
        ...open(app, file('halves.ppm')),
        ...menu(app, 'Image', 'Mode', 'Grayscale'),
        ...exportAs(app, file('grey.jpg')),
      ],
      judge: async ({ file }) =>
        assert.match(await pictureIs(file('grey.jpg'), '%m %w %h %[colorspace]'), /^JPEG 40 30 Gray$/),
    },
    {
      name: 'an image rotated, saved as xcf',
      files: { 'halves.ppm': HALVES },
      steps: ({ app, file }) => [
        ...open(app, file('halves.ppm')),
        ...menu(app, 'Image', 'Transform', 'Rotate 90° clockwise'),
        ['press_key', { key: 'ctrl+shift+s' }],
        ['automate_save_file_dialog', { application: app, file_path: file('turned.xcf') }],
      ],
      judge: ({ file }) => {
        const header = readFileSync(file('turned.xcf'));
        assert.match(header.toString('latin1', 0, 14), /^gimp xcf/);
        assert.deepEqual([header.readUInt32BE(14), header.readUInt32BE(18)], [30, 40]);
      },
    },
  ],
};
