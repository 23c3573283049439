/** Inkscape. */
import assert from 'node:assert/strict';
import { pictureIs } from './images.mjs';

/** Two shapes of 40 mm beside each other, the round one on the left. */
const SHAPES = `<svg xmlns="http://www.w3.org/2000/svg" width="120mm" height="60mm" viewBox="0 0 120 60"><circle id="left" cx="20" cy="20" r="20"/><rect id="right" x="60" y="0" width="40" height="40"/></svg>`;

const press = (app, title) => ['click_element', { parent: app, role: 'button', title }];
const menu = (app, name, item) => [
  ['click_element', { parent: app, role: 'menu', title: name }],
  ['click_element', { parent: app, role: 'menu item', title: item }],
];
const saveAs = (app, path, ...asked) => [
  ['press_key', { key: 'ctrl+shift+s' }],
  ['automate_save_file_dialog', { application: app, file_path: path }, ...asked],
];
const open = (app, path) => [
  ['press_key', { key: 'ctrl+o' }],
  ['automate_open_file_dialog', { application: app, file_path: path }],
  ['wait_element', { parent: app, role: 'menu', title: 'Object' }],
];
const rectangle = [
  ['press_key', { key: 'r' }],
  ['drag', { start_x: 700, start_y: 400, end_x: 900, end_y: 600 }],
];
const textIn = (svg) => svg.replaceAll(/<[^>]*>/g, '').trim();

export const inkscape = {
  packages: ['inkscape', 'imagemagick'],
  id: 'org.inkscape.Inkscape',
  discards: 'Close without saving',
  // The first time it asks two questions before it offers a new document.
  start: ({ app }) => [
    ['find_elements', { parent: app, role: 'button' }],
    ({ elements }) => (elements.some(({ title }) => title === 'Save') ? press(app, 'Save') : null),
    ['find_elements', { parent: app, role: 'button' }],
    ({ elements }) => (elements.some(({ title }) => title === 'Thanks!') ? press(app, 'Thanks!') : null),
    press(app, 'New Document'),
    ['wait_element', { parent: app, role: 'menu', title: 'Object', timeout: 30 }],
  ],
  tasks: [
    {
      name: 'a rectangle drawn, saved as SVG',
      steps: ({ app, file }) => [...rectangle, ...saveAs(app, file('box.svg'))],
      judge: ({ read }) => assert.match(read('box.svg'), /<rect\b[^>]*\bwidth="[1-9]/),
    },
    {
      name: 'a rectangle drawn, exported as PNG',
      steps: ({ app, file }) => [
        ...rectangle,
        ['press_key', { key: 'ctrl+shift+e' }],
        ['find_elements', { parent: app, role: 'text field', value: '.png' }],
        ({ elements: [name] }) => ['write_element_value', { element_id: name.elementId, value: file('box.png') }],
        press(app, 'Export'),
      ],
      judge: async ({ file }) => assert.match(await pictureIs(file('box.png'), '%m'), /^PNG/),
    },
    {
      name: 'a drawing mirrored through the menu',
      files: { 'shapes.svg': SHAPES },
      steps: ({ app, file }) => [
        ...open(app, file('shapes.svg')),
        ['press_key', { key: 'ctrl+a' }],
        ...menu(app, 'Object', 'Flip Horizontal'),
        ['press_key', { key: 'ctrl+s' }],
      ],
      judge: ({ read }) => assert.match(read('shapes.svg'), /transform="(scale\(-1|matrix\(-1)/),
    },
    {
      name: 'a text written, saved as SVG',
      steps: ({ app, file }) => [
        ['press_key', { key: 't' }],
        ['click', { x: 760, y: 400 }],
        ['type_text', { text: 'Grüße aus Köln' }],
        ...saveAs(app, file('text.svg')),
      ],
      judge: ({ read }) => assert.equal(textIn(read('text.svg')), 'Grüße aus Köln'),
    },
    {
      name: 'a drawing saved as PDF',
      files: { 'shapes.svg': SHAPES },
      steps: ({ app, file }) => [
        ...open(app, file('shapes.svg')),
        ...saveAs(app, file('shapes.pdf'), 'asked'),
        press(app, 'OK'),
      ],
      judge: ({ read }) => assert.match(read('shapes.pdf'), /^%PDF-1/),
    },
  ],
};
