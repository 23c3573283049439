/** Resources (gabp.md 4.4, registry.md 3). */
import { CODES, GabpError } from '../lib/errors.mjs';
import { glob } from '../lib/names.mjs';

/**
 * @typedef {import("./game.mjs").Game} Game
 * @typedef {{uri: string, name: string, description: string, mimeType: string, size?: number}} Description
 */

/** A one-pixel image: a binary resource. */
const BANNER = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
  'base64',
);

/** This one exists, but no bridge may read it. */
const FORBIDDEN = 'gabp://system/config';

/** @param {unknown} value */
const json = (value) => ({ content: JSON.stringify(value), mimeType: 'application/json', encoding: 'utf-8' });

/** @param {URLSearchParams} query @param {string} name @param {number} otherwise */
function count(query, name, otherwise) {
  const text = query.get(name);
  if (text === null) return otherwise;
  if (!/^\d{1,9}$/.test(text)) throw new GabpError(CODES.INVALID_PARAMS, `The query parameter ${name} is not a number`);
  return Number(text);
}

/** @param {Game} game @param {URLSearchParams} query */
function players(game, query) {
  const offset = count(query, 'offset', 0);
  return json([...game.players.values()].slice(offset, offset + count(query, 'limit', Infinity)));
}

/** @param {Game} game */
function logs(game) {
  const lines = game.diagnostics.entries.map((entry) => `${entry.sequence} ${entry.level} ${entry.message}\n`);
  return { content: lines.join(''), mimeType: 'text/plain', encoding: 'utf-8' };
}

/** @type {{description: Description, read: (game: Game, query: URLSearchParams) => object}[]} */
const RESOURCES = [
  {
    description: {
      uri: 'gabp://game/world',
      name: 'World',
      description: 'The world as JSON',
      mimeType: 'application/json',
    },
    read: (game) => json({ ...game.world, walls: Object.fromEntries(game.walls) }),
  },
  {
    description: {
      uri: 'gabp://game/players',
      name: 'Players',
      description: 'The players as JSON; the query may give limit and offset',
      mimeType: 'application/json',
    },
    read: players,
  },
  {
    description: {
      uri: 'gabp://mod/banner',
      name: 'Banner',
      description: 'The banner of the hold, a picture',
      mimeType: 'image/png',
      size: BANNER.length,
    },
    read: () => ({ content: BANNER.toString('base64'), mimeType: 'image/png', encoding: 'base64' }),
  },
  {
    description: {
      uri: 'gabp://system/logs',
      name: 'Diagnostics',
      description: 'The numbered lines which attention items refer to',
      mimeType: 'text/plain',
    },
    read: logs,
  },
];

export const resourceUris = () => RESOURCES.map(({ description }) => description.uri);

/** @param {{pattern?: string, namespace?: string}} filter */
export function listResources({ pattern, namespace }) {
  const fits = pattern === undefined ? () => true : glob(pattern);
  return RESOURCES.map(({ description }) => description).filter(({ uri }) => {
    const [, itsNamespace, path] = /^gabp:\/\/([^/]+)\/(.*)$/.exec(uri);
    if (namespace !== undefined && namespace !== itsNamespace) return false;
    return fits(uri) || fits(`${itsNamespace}/${path}`);
  });
}

/** @param {Game} game @param {string} uri */
export function readResource(game, uri) {
  const [address, query = ''] = uri.split('#')[0].split('?');
  if (address === FORBIDDEN) throw new GabpError(CODES.RESOURCE_ACCESS_DENIED, 'Resource access denied', { uri });
  const resource = RESOURCES.find(({ description }) => description.uri === address);
  if (!resource) throw new GabpError(CODES.RESOURCE_NOT_FOUND, 'Resource not found', { uri });
  return resource.read(game, new URLSearchParams(query));
}
