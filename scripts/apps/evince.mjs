/** Evince, the document viewer of GNOME. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { pdf } from './pdf.mjs';

const files = { 'story.pdf': pdf(['The first page', 'A silver needle', 'The last page']) };
const textOf = (path) => execFileSync('pdftotext', [path, '-'], { encoding: 'utf8' });
const open = (app, path) => [
  ['press_key', { key: 'ctrl+o' }],
  ['automate_open_file_dialog', { application: app, file_path: path }],
];
const print = (app, path, range) => [
  ['press_key', { key: 'ctrl+p' }],
  ['click_element', { parent: app, role: 'cell', title: 'Print to File' }],
  ...range,
  // Names the file that it would write.
  ['click_element', { parent: app, role: 'button', title: '.pdf' }],
  ['automate_save_file_dialog', { application: app, file_path: path }],
  ['click_element', { parent: app, role: 'button', title: 'Print' }],
];
const pages = (app, value) => [
  ['set_element_state', { parent: app, role: 'radio button', title: 'Pages:', checked: true }],
  ['write_element_value', { parent: app, role: 'text field', title: 'Pages', value }],
];
const currentPage = (app) => [['set_element_state', { parent: app, title: 'Current Page', checked: true }]];

export const evince = {
  packages: ['evince', 'poppler-utils'],
  id: 'org.gnome.Evince',
  tasks: [
    {
      name: 'a copy saved',
      files,
      steps: ({ app, file }) => [
        ...open(app, file('story.pdf')),
        ['press_key', { key: 'ctrl+s' }],
        ['automate_save_file_dialog', { application: app, file_path: file('copy.pdf') }],
      ],
      judge: ({ read }) => assert.equal(read('copy.pdf'), files['story.pdf']),
    },
    {
      name: 'some pages printed to a file',
      files,
      steps: ({ app, file }) => [...open(app, file('story.pdf')), ...print(app, file('some.pdf'), pages(app, '2-3'))],
      judge: ({ file }) => assert.equal(textOf(file('some.pdf')), 'A silver needle\n\n\fThe last page\n\n\f'),
    },
    {
      name: 'a page gone to, and printed to a file',
      files,
      steps: ({ app, file }) => [
        ...open(app, file('story.pdf')),
        ['click_element', { parent: app, title: 'page-label-entry' }],
        ['press_key', { key: 'ctrl+a' }],
        ['type_text', { text: '3' }],
        ['press_key', { key: 'enter' }],
        ...print(app, file('page.pdf'), currentPage(app)),
      ],
      judge: ({ file }) => assert.equal(textOf(file('page.pdf')), 'The last page\n\n\f'),
    },
    {
      name: 'the page with a word printed to a file',
      files,
      steps: ({ app, file }) => {
        let page = '';
        return [
          ...open(app, file('story.pdf')),
          ['press_key', { key: 'ctrl+f' }],
          ['type_text', { text: 'needle' }],
          ['wait_element', { parent: app, role: 'cell', title: 'needle' }],
          ['find_elements', { parent: app, role: 'cell' }],
          // The number of its page is beside each result.
          ({ elements }) => {
            page = elements.find(({ title }) => /^\d+$/.test(title)).title;
            return null;
          },
          ...print(app, file('found.pdf'), [...pages(app).slice(0, 1), () => pages(app, page)[1]]),
        ];
      },
      judge: ({ file }) => assert.equal(textOf(file('found.pdf')), 'A silver needle\n\n\f'),
    },
    {
      name: 'the text of a document copied',
      files,
      steps: ({ app, file }) => [
        ...open(app, file('story.pdf')),
        ['wait_element', { parent: app, role: 'document', title: 'Document View' }],
        ['press_key', { key: 'ctrl+a' }],
        ['press_key', { key: 'ctrl+c' }],
      ],
      judge: async ({ ask }) => assert.match(await ask('xclip', '-o', '-selection', 'clipboard'), /A silver needle/),
    },
  ],
};
