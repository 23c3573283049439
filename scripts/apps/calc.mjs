/** LibreOffice Calc. */
import assert from 'node:assert/strict';
import { flat, inside, menu, open, replaceAll, saveAs, saveForeign, start } from './office.mjs';

const goTo = (place) => [
  ['press_key', { key: 'ctrl+shift+t' }],
  ['type_text', { text: place }],
  ['press_key', { key: 'enter' }],
];
const typed = (text) => [
  ['type_text', { text }],
  ['press_key', { key: 'enter' }],
];
const FRUIT = [['pear', 3], ['apple', 12], ['cherry', 7], ['apple', 1]]; // prettier-ignore
const cells = (row) => row.map((value) => cell(value)).join('');
const cell = (value) =>
  typeof value === 'number'
    ? `<table:table-cell office:value-type="float" office:value="${value}"><text:p>${value}</text:p></table:table-cell>`
    : `<table:table-cell office:value-type="string"><text:p>${value}</text:p></table:table-cell>`;
const SHEET = flat(
  'spreadsheet',
  `<table:table table:name="Fruit">${FRUIT.map((row) => `<table:table-row>${cells(row)}</table:table-row>`).join('')}</table:table>`,
);
/** The texts of a flat sheet's cells, row after row. */
const textsIn = (xml) => [...xml.matchAll(/<text:p[^>]*>([^<]*)<\/text:p>/g)].map(([, text]) => text);

export const calc = {
  packages: ['libreoffice-calc', 'libreoffice-gtk3'],
  id: 'libreoffice-calc',
  start,
  tasks: [
    {
      name: 'a formula filled down 200 rows and a chart of it, saved as xlsx',
      steps: ({ app, file }) => [
        ...typed('=ROW()*2'),
        ...goTo('A1:A200'),
        ['press_key', { key: 'ctrl+d' }],
        ...menu(app, 'Insert', 'Chart...'),
        ['click_element', { parent: app, role: 'button', title: 'Finish' }],
        // The chart is edited until then.
        ['press_key', { key: 'escape' }],
        ...saveForeign(app, file('rows.xlsx')),
      ],
      judge: async ({ file }) => {
        const sheet = await inside(file('rows.xlsx'), 'xl/worksheets/sheet1.xml');
        assert.equal([...sheet.matchAll(/<f\b/g)].length, 200);
        assert.match(sheet, /<c r="A200"[^>]*><f[^>]*>ROW\(\)\*2<\/f><v>400<\/v>/);
        assert.match(await inside(file('rows.xlsx'), 'xl/charts/chart1.xml'), /A\$1:\$A\$200/);
      },
    },
    {
      name: 'a number typed into a cell and read back',
      steps: ({ app, file }) => [
        ...goTo('C3'),
        ...typed('1234.5'),
        ['find_elements', { parent: app, role: 'cell', value: '1234.5' }],
        ({ elements }) => {
          assert.equal(elements.length, 1);
          return null;
        },
        ...saveAs(app, file('number.ods')),
      ],
      judge: async ({ file }) =>
        assert.match(await inside(file('number.ods'), 'content.xml'), /office:value="1234\.5"/),
    },
    {
      name: 'a sheet renamed through the menu',
      steps: ({ app, file }) => [
        ...menu(app, 'Sheet', 'Rename Sheet...'),
        ['press_key', { key: 'ctrl+a' }],
        ...typed('Budget 2027'),
        ...saveAs(app, file('named.ods')),
      ],
      judge: async ({ file }) =>
        assert.match(await inside(file('named.ods'), 'content.xml'), /table:name="Budget 2027"/),
    },
    {
      name: 'a list sorted by its numbers',
      files: { 'list.fods': SHEET },
      steps: ({ app, file }) => [
        ...open(app, file('list.fods')),
        ...goTo('B1'),
        ...menu(app, 'Data', 'Sort Ascending'),
        ['press_key', { key: 'ctrl+s' }],
      ],
      judge: ({ read }) =>
        assert.deepEqual(textsIn(read('list.fods')), ['apple', '1', 'pear', '3', 'cherry', '7', 'apple', '12']),
    },
    {
      name: 'a word replaced everywhere',
      files: { 'list.fods': SHEET },
      steps: ({ app, file }) => [
        ...open(app, file('list.fods')),
        ...replaceAll(app, 'apple', 'quince'),
        // Its list of what it found was closed first.
        ['press_key', { key: 'escape' }],
        ['press_key', { key: 'ctrl+s' }],
      ],
      judge: ({ read }) =>
        assert.deepEqual(textsIn(read('list.fods')), ['pear', '3', 'quince', '12', 'cherry', '7', 'quince', '1']),
    },
  ],
};
