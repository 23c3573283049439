/** LibreOffice Impress. */
import assert from 'node:assert/strict';
import { flat, inside, menu, open, replaceAll, saveAs, saveForeign, start } from './office.mjs';

const page = (title) =>
  `<draw:page draw:name="${title}"><draw:frame svg:width="20cm" svg:height="3cm" svg:x="2cm" svg:y="2cm"><draw:text-box><text:p>${title}</text:p></draw:text-box></draw:frame></draw:page>`;
const TALK = flat('presentation', `${page('Apples in spring')}${page('Apples in autumn')}`);

/** An empty placeholder takes what is typed once it is selected. */
const write = (app, placeholder, text) => [
  ['click_element', { parent: app, title: placeholder }],
  ['type_text', { text }],
];

export const impress = {
  packages: ['libreoffice-impress', 'libreoffice-gtk3'],
  id: 'libreoffice-impress',
  // Where a text is still being edited after it was saved.
  discards: 'Don’t Save',
  start: ({ app }) => [
    ['list_windows', { parent: app }],
    ({ windows }) =>
      windows.some(({ title }) => title === 'Select a Template')
        ? ['click_element', { parent: app, role: 'button', title: 'Close' }]
        : null,
    ...start({ app }),
  ],
  tasks: [
    {
      name: 'a title written, saved as odp',
      steps: ({ app, file }) => [
        ...write(app, 'PresentationTitle', 'Harvest 2027: Äpfel'),
        ...saveAs(app, file('title.odp')),
      ],
      judge: async ({ file }) =>
        assert.match(await inside(file('title.odp'), 'content.xml'), /class="title"[^]*?>Harvest 2027: Äpfel</),
    },
    {
      name: 'a slide added through the menu',
      steps: ({ app, file }) => [...menu(app, 'Slide', 'New Slide'), ...saveAs(app, file('two.odp'))],
      judge: async ({ file }) =>
        assert.equal([...(await inside(file('two.odp'), 'content.xml')).matchAll(/<draw:page /g)].length, 2),
    },
    {
      name: 'two bullets, saved as pptx',
      steps: ({ app, file }) => [
        ['press_key', { key: 'ctrl+m' }],
        ...write(app, 'PresentationOutliner', 'Pears'),
        ['press_key', { key: 'enter' }],
        ['type_text', { text: 'Plums' }],
        // LibreOffice 7.4 crashes where it is closed while it asks about a text that is still edited.
        ['press_key', { key: 'escape' }],
        ...saveForeign(app, file('bullets.pptx')),
      ],
      judge: async ({ file }) => {
        const xml = await inside(file('bullets.pptx'), 'ppt/slides/slide2.xml');
        const texts = [...xml.matchAll(/<a:p>.*?<\/a:p>/gs)].map(([text]) => text.replaceAll(/<[^>]*>/g, ''));
        assert.deepEqual(texts.filter(Boolean), ['Pears', 'Plums']);
      },
    },
    {
      name: 'slides exported as PDF',
      files: { 'talk.fodp': TALK },
      steps: ({ app, file }) => [
        ...open(app, file('talk.fodp')),
        ...menu(app, 'File', 'Export As', 'menu'),
        ['click_element', { parent: app, role: 'menu item', title: 'Export Directly as PDF' }],
        ['automate_save_file_dialog', { application: app, file_path: file('talk.pdf') }],
      ],
      judge: ({ read }) => {
        assert.match(read('talk.pdf'), /^%PDF-1/);
        assert.match(read('talk.pdf'), /\/Count 2\b/);
      },
    },
    {
      name: 'a word replaced on every slide',
      files: { 'talk.fodp': TALK },
      steps: ({ app, file }) => [
        ...open(app, file('talk.fodp')),
        ...replaceAll(app, 'Apples', 'Quinces'),
        ['press_key', { key: 'ctrl+s' }],
      ],
      judge: ({ read }) => assert.match(read('talk.fodp'), />Quinces in spring<[^]*>Quinces in autumn</),
    },
  ],
};
