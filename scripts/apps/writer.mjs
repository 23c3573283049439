/** LibreOffice Writer. */
import assert from 'node:assert/strict';
import { flat, inside, menu, open, replaceAll, saveAs, saveForeign, start } from './office.mjs';

const GREETING = 'Grüße aus Köln: 5 € für Ñandú, œuvre & Łódź';
const STORY = flat('text', '<text:p>The fox saw a fox.</text:p><text:p>No hen saw the fox.</text:p>');
export const writer = {
  packages: ['libreoffice-writer', 'libreoffice-gtk3'],
  id: 'libreoffice-writer',
  start,
  tasks: [
    {
      name: 'a text with umlauts, saved as odt',
      steps: ({ app, file }) => [['type_text', { text: GREETING }], ...saveAs(app, file('greeting.odt'))],
      judge: async ({ file }) =>
        assert.ok((await inside(file('greeting.odt'), 'content.xml')).includes(GREETING.replace('&', '&amp;'))),
    },
    {
      name: 'a paragraph made a heading through the menu',
      steps: ({ app, file }) => [
        ['type_text', { text: 'Chapter one' }],
        ...menu(app, 'Styles', 'Heading 1'),
        ...saveAs(app, file('chapter.odt')),
      ],
      judge: async ({ file }) =>
        assert.match(
          await inside(file('chapter.odt'), 'content.xml'),
          /<text:h text:style-name="Heading_20_1"[^>]*>(<[^>]*>)*Chapter one/,
        ),
    },
    {
      name: 'three paragraphs, saved as docx',
      steps: ({ app, file }) => [
        ['type_text', { text: 'One' }],
        ['press_key', { key: 'enter' }],
        ['type_text', { text: 'Two' }],
        ['press_key', { key: 'enter' }],
        ['type_text', { text: 'Three' }],
        ...saveForeign(app, file('three.docx')),
      ],
      judge: async ({ file }) => {
        const xml = await inside(file('three.docx'), 'word/document.xml');
        assert.deepEqual(
          [...xml.matchAll(/<w:p>.*?<\/w:p>/gs)].map(([text]) => text.replaceAll(/<[^>]*>/g, '')),
          ['One', 'Two', 'Three'],
        );
      },
    },
    {
      name: 'a document exported as PDF',
      files: { 'story.fodt': STORY },
      steps: ({ app, file }) => [
        ...open(app, file('story.fodt')),
        ...menu(app, 'File', 'Export As', 'menu'),
        ['click_element', { parent: app, role: 'menu item', title: 'Export Directly as PDF' }],
        ['automate_save_file_dialog', { application: app, file_path: file('story.pdf') }],
      ],
      judge: ({ read }) => {
        assert.match(read('story.pdf'), /^%PDF-1/);
        assert.match(read('story.pdf'), /\/Count 1\b/);
      },
    },
    {
      name: 'a word replaced everywhere',
      files: { 'story.fodt': STORY },
      steps: ({ app, file }) => [
        ...open(app, file('story.fodt')),
        ...replaceAll(app, 'fox', 'cat'),
        ['press_key', { key: 'ctrl+s' }],
      ],
      judge: ({ read }) => assert.match(read('story.fodt'), /The cat saw a cat\..*No hen saw the cat\./s),
    },
  ],
};
