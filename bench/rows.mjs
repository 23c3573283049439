/** The rows of `npm run bench`: each opens what it measures by itself, and gives lines of the report. */
import { Stop } from '../scripts/lib/run.mjs';

const from = (file, name) => async (bench) => (await import(new URL(`${file}.mjs`, import.meta.url).href))[name](bench);

export const ROWS = [
  { section: 'calls', name: 'no-op-call', measure: from('calls', 'oneCall') },
  { section: 'calls', name: 'first-call', measure: from('calls', 'firstCall') },
  { section: 'calls', name: 'calls-in-flight', measure: from('calls', 'callsInFlight') },
  { section: 'calls', name: 'many-callers', measure: from('many-callers', 'manyCallers') },
  { section: 'frames', name: 'small-frames', measure: from('frames', 'smallFrames') },
  { section: 'frames', name: 'large-frames', measure: from('frames', 'largeFrames') },
  { section: 'frames', name: 'fan-out', measure: from('fan-out', 'fanOut') },
  { section: 'find', name: 'find', measure: from('find', 'find') },
  { section: 'find', name: 'find-in-page', measure: from('find', 'findInPage') },
  { section: 'find', name: 'find-gtk4', measure: from('find', 'findInGtk4') },
  { section: 'find', name: 'find-qt', measure: from('find', 'findInQt') },
  { section: 'acts', name: 'click', measure: from('acts', 'clicking') },
  { section: 'acts', name: 'mouse-move', measure: from('acts', 'pointing') },
  { section: 'acts', name: 'press-key', measure: from('acts', 'pressing') },
  { section: 'silent', name: 'silent-gtk3', measure: from('silent', 'silentInGtk3') },
  { section: 'silent', name: 'silent-gtk4', measure: from('silent', 'silentInGtk4') },
  { section: 'silent', name: 'silent-qt', measure: from('silent', 'silentInQt') },
  { section: 'silent', name: 'silent-page', measure: from('silent', 'silentInPage') },
  { section: 'acts', name: 'allow', measure: from('allow', 'allowing') },
  { section: 'acts', name: 'windows', measure: from('acts', 'placing') },
  { section: 'acts', name: 'tree', measure: from('acts', 'reading') },
  { section: 'acts', name: 'observation', measure: from('acts', 'watching') },
  { section: 'acts', name: 'find-text', measure: from('acts', 'recognizing') },
  { section: 'macos', name: 'macos-tree', measure: from('macos', 'macosTree') },
  { section: 'typing', name: 'type-5', measure: from('typing', 'fiveInserted') },
  { section: 'typing', name: 'type-5-keys', measure: from('typing', 'fiveKeys') },
  { section: 'typing', name: 'type-5-keys-page', measure: from('typing', 'fiveKeysInPage') },
  { section: 'typing', name: 'type-1000', measure: from('typing', 'insertInGtk3') },
  { section: 'typing', name: 'type-1000-gtk4', measure: from('typing', 'insertInGtk4') },
  { section: 'typing', name: 'type-1000-qt', measure: from('typing', 'insertInQt') },
  { section: 'typing', name: 'type-1000-keys', measure: from('typing', 'keysInGtk3') },
  { section: 'typing', name: 'type-1000-keys-gtk4', measure: from('typing', 'keysInGtk4') },
  { section: 'typing', name: 'type-1000-keys-qt', measure: from('typing', 'keysInQt') },
  { section: 'typing', name: 'type-1000-keys-page', measure: from('typing', 'keysInPage') },
  { section: 'screenshot', name: 'png', measure: from('screenshot', 'alone') },
  { section: 'screenshot', name: 'screenshot-call', measure: from('screenshot', 'asTool') },
  { section: 'screenshot', name: 'calc', measure: from('calc', 'withCalc') },
  { section: 'tokens', name: 'tokens', measure: from('tokens', 'tokens') },
  { section: 'memory', name: 'memory', measure: from('memory', 'memory') },
  { section: 'idle', name: 'idle', measure: from('idle', 'idling') },
  { section: 'start', name: 'shim-start', measure: from('start', 'shimStart') },
  { section: 'start', name: 'host-start', measure: from('start', 'hostStart') },
  { section: 'own', name: 'own-start', measure: from('own', 'ownStart') },
  { section: 'own', name: 'own-memory', measure: from('own', 'ownMemory') },
  { section: 'own', name: 'under-task', measure: from('own', 'underTask') },
  { section: 'page', name: 'first-paint', measure: from('page', 'page') },
  { section: 'growth', name: 'long-history', measure: from('growth', 'history') },
  { section: 'growth', name: 'long-conversation', measure: from('long-chat', 'longConversation') },
  { section: 'growth', name: 'filtered-record', measure: from('growth', 'filtering') },
  { section: 'growth', name: 'verify', measure: from('growth', 'verifying') },
  { section: 'growth', name: 'verify-resumed', measure: from('growth', 'resuming') },
  { section: 'growth', name: 'large-tree', measure: from('growth', 'trees') },
  { section: 'scrolling', name: 'scroll-activity', measure: from('scrolling', 'scrollActivity') },
  { section: 'scrolling', name: 'scroll-conversation', measure: from('scrolling', 'scrollConversation') },
];

const namesIn = (group) =>
  ROWS.filter(({ section }) => section === group)
    .map(({ name }) => name)
    .join(', ');

export const USAGE = [
  'npm run bench [-- --row NAME]...   measures all rows, or those named; a group measured whole is renewed in bench/RESULTS.md',
  '',
  ...[...new Set(ROWS.map(({ section }) => section))].map((section) => `  ${section.padEnd(12)}${namesIn(section)}`),
  '',
  'A name is that of a row or of a group of rows (left).',
].join('\n');

/** The rows that the arguments name, in order; all where none is named. */
export function chosen(args) {
  const names = args.filter((arg) => arg !== '--row');
  const unknown = names.find((name) => !ROWS.some((row) => isNamed(row, name)));
  if (unknown !== undefined) throw new Stop(`There is no row “${unknown}”.\n\n${USAGE}`);
  if (args.at(-1) === '--row') throw new Stop(`--row needs a name.\n\n${USAGE}`);
  return names.length === 0 ? ROWS : ROWS.filter((row) => names.some((name) => isNamed(row, name)));
}

const isNamed = (row, name) => row.name === name || row.section === name;
