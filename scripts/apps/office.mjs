/** What the tasks of LibreOffice's applications share. */
import { run } from '../lib/run.mjs';

export const saveAs = (app, path) => [
  ['press_key', { key: 'ctrl+shift+s' }],
  ['automate_save_file_dialog', { application: app, file_path: path }],
];

/** In a format that is not LibreOffice's own, which it asks about. */
export const saveForeign = (app, path) => [
  ['press_key', { key: 'ctrl+shift+s' }],
  ['automate_save_file_dialog', { application: app, file_path: path }, 'asked'],
  ({ dialog }) => {
    const keep = dialog.buttons.find(({ title }) => !/ODF|Cancel|Help/.test(title));
    return ['click_element', { element_id: keep.element_id }];
  },
];

/** Closes the tip of the day, which takes the first keys. */
export const start = ({ app }) => [
  ['list_windows', { parent: app }],
  ({ windows }) =>
    windows.some(({ title }) => title.startsWith('Tip of the Day')) ? ['press_key', { key: 'escape' }] : null,
];

/** Each menu is there twice: once for its toolkit, once for LibreOffice. */
export const menu = (app, name, item, role = 'menu item') => [
  ['find_elements', { parent: app, role: 'menu', title: name }],
  ({ elements }) => ['click_element', { element_id: elements.find(({ title }) => title === name).elementId }],
  ['click_element', { parent: app, role, title: item }],
];

export const open = (app, path) => [
  ['press_key', { key: 'ctrl+o' }],
  ['automate_open_file_dialog', { application: app, file_path: path }],
];

const NAMES = Object.entries({
  office: 'office',
  text: 'text',
  table: 'table',
  style: 'style',
  draw: 'drawing',
  svg: 'svg-compatible',
}).map(([name, of]) => `xmlns:${name}="urn:oasis:names:tc:opendocument:xmlns:${of}:1.0"`);

/** A document as one XML file. `kind`: presentation, spreadsheet or text. */
export const flat = (kind, body) =>
  `<?xml version="1.0" encoding="UTF-8"?><office:document ${NAMES.join(' ')} office:version="1.3" office:mimetype="application/vnd.oasis.opendocument.${kind}"><office:body><office:${kind}>${body}</office:${kind}></office:body></office:document>`;

const READ = 'import sys, zipfile; sys.stdout.reconfigure(encoding="utf-8"); print(zipfile.ZipFile(sys.argv[1]).read(sys.argv[2]).decode())'; // prettier-ignore

/** A file inside a zipped document. */
export async function inside(path, name) {
  const { code, output } = await run('/usr/bin/python3', ['-c', READ, path, name], { capture: true });
  if (code !== 0) throw new Error(output.trim().split('\n').at(-1));
  return output;
}

/** The fields of the dialog have no names: the first has the focus, and the other is the last there is. */
export const replaceAll = (app, text, by) => [
  ['press_key', { key: 'ctrl+h' }],
  ['type_text', { text }],
  ['find_elements', { parent: app, role: 'text field' }],
  ({ elements }) => ['write_element_value', { element_id: elements.at(-1).elementId, value: by }],
  ['click_element', { parent: app, role: 'button', title: 'Replace All' }],
  ['press_key', { key: 'escape' }],
];
