/** Firefox ESR, with pages that tell our server what they were given. */
import assert from 'node:assert/strict';

const goTo = (url) => [
  ['press_key', { key: 'ctrl+l' }],
  ['type_text', { text: url }],
  ['press_key', { key: 'enter' }],
];
const given = (posts) => Object.fromEntries(new URLSearchParams(posts.at(-1)));
const form = (fields, encoding = 'application/x-www-form-urlencoded') =>
  `<title>Order</title><form method="post" enctype="${encoding}">${fields}<button>Save</button></form>`;

const SEARCHED = `<title>Long</title>${'<p>Hay and straw.</p>'.repeat(200)}<p>Here lies a silver needle.</p>
<script>document.onselectionchange = () => {
  const text = String(document.getSelection());
  if (text !== '') fetch('/selected', { method: 'POST', body: text });
};</script>`;

export const firefox = {
  packages: ['firefox-esr'],
  id: 'firefox-esr',
  tasks: [
    {
      name: 'a web form filled in and sent',
      pages: {
        '/form': form(`<label>Name <input name="name"></label>
          <label>Size <select name="size"><option>Small<option>Medium<option>Large</select></label>
          <label><input type="checkbox" name="gift"> Gift wrap</label>`),
      },
      steps: ({ app, url }) => [
        ...goTo(`${url}/form`),
        ['wait_element', { parent: app, role: 'button', title: 'Save' }],
        ['write_element_value', { parent: app, title: 'Name', value: 'Jürgen Łuk' }],
        ['write_element_value', { parent: app, role: 'combo box', title: 'Size', value: 'Large' }],
        ['set_element_state', { parent: app, title: 'Gift wrap', checked: true }],
        ['click_element', { parent: app, role: 'button', title: 'Save' }],
      ],
      judge: ({ posts }) => assert.deepEqual(given(posts), { name: 'Jürgen Łuk', size: 'Large', gift: 'on' }),
    },
    {
      name: 'a file chosen in the native dialog and sent',
      files: { 'report.txt': 'figures of March' },
      pages: { '/upload': form('<label>Report <input type="file" name="report"></label>', 'multipart/form-data') },
      steps: ({ app, url, file }) => [
        ...goTo(`${url}/upload`),
        ['wait_element', { parent: app, role: 'button', title: 'Save' }],
        ['click_element', { parent: app, role: 'button', title: 'Browse' }],
        ['automate_open_file_dialog', { application: app, file_path: file('report.txt') }],
        ['click_element', { parent: app, role: 'button', title: 'Save' }],
      ],
      judge: ({ posts }) => assert.match(posts.at(-1) ?? '', /filename="report\.txt"[^]*figures of March/),
    },
    {
      name: 'a word found in a long page',
      pages: { '/long': SEARCHED },
      steps: ({ app, url }) => [
        ...goTo(`${url}/long`),
        ['wait_element', { parent: app, role: 'document', title: 'Long' }],
        ['press_key', { key: 'ctrl+f' }],
        ['type_text', { text: 'silver needle' }],
        ['press_key', { key: 'enter' }],
        ['press_key', { key: 'escape' }],
      ],
      judge: ({ posts }) => assert.equal(posts.at(-1), 'silver needle'),
    },
    {
      name: 'a date, a number and a long text entered',
      pages: {
        '/plan':
          form(`<label>Day <input type="date" name="day"></label><label>Guests <input type="number" name="guests"></label>
          <label>Notes <textarea name="notes"></textarea></label>`),
      },
      steps: ({ app, url }) => [
        ...goTo(`${url}/plan`),
        ['wait_element', { parent: app, role: 'button', title: 'Save' }],
        ['write_element_value', { parent: app, title: 'Day', value: '2027-03-09' }],
        ['write_element_value', { parent: app, title: 'Guests', value: '14' }],
        ['write_element_value', { parent: app, title: 'Notes', value: 'First line\nsecond line' }],
        ['click_element', { parent: app, role: 'button', title: 'Save' }],
      ],
      judge: ({ posts }) =>
        assert.deepEqual(given(posts), { day: '2027-03-09', guests: '14', notes: 'First line\r\nsecond line' }),
    },
    {
      name: 'a page saved as a file',
      pages: { '/page': '<title>Recipe</title><p>Two eggs and a spoon of sugar.</p>' },
      steps: ({ app, url, file }) => [
        ...goTo(`${url}/page`),
        ['wait_element', { parent: app, role: 'document', title: 'Recipe' }],
        ['press_key', { key: 'ctrl+s' }],
        ['automate_save_file_dialog', { application: app, file_path: file('recipe.html') }],
      ],
      judge: ({ read }) => assert.match(read('recipe.html'), /Two eggs and a spoon of sugar/),
    },
  ],
};
