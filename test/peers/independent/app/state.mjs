/** Game state (gabp.md 4.5): the components "world" and "player". */
import { CODES, GabpError } from '../lib/errors.mjs';
import { isObject } from '../lib/names.mjs';

/** @typedef {import("./game.mjs").Game} Game */

const COMPONENTS = ['world', 'player'];
const DEFAULT_PLAYER = 'mira';

/** @param {unknown} value */
const isNumber = (value) => typeof value === 'number' && Number.isFinite(value);

/** @param {any} value */
const isPosition = (value) =>
  isObject(value) && Object.keys(value).sort().join() === 'x,y,z' && Object.values(value).every(isNumber);

/** What may be set, with its test. */
const SETTABLE = {
  world: {
    weather: (value) => ['clear', 'ashfall', 'storm'].includes(value),
    time: (value) => Number.isInteger(value) && value >= 0 && value < 24000,
  },
  player: {
    position: isPosition,
    health: (value) => Number.isInteger(value) && value >= 0 && value <= 20,
  },
};

/** @param {Game} game @param {string} playerId */
function playerOf(game, playerId) {
  const player = game.players.get(playerId);
  if (!player) throw new GabpError(CODES.INVALID_PARAMS, 'Unknown player', { playerId });
  return player;
}

/** @param {Game} game @param {{components?: string[], playerId?: string}} params */
export function getState(game, { components = COMPONENTS, playerId = DEFAULT_PLAYER }) {
  const unknown = components.filter((name) => !COMPONENTS.includes(name));
  if (unknown.length > 0) throw new GabpError(CODES.INVALID_PARAMS, 'Unknown state components', { unknown });
  const all = { world: game.world, player: playerOf(game, playerId) };
  const state = structuredClone(Object.fromEntries(components.map((name) => [name, all[name]])));
  return { state, timestamp: Math.floor(Date.now() / 1000) };
}

/** @param {Record<string, any>} updates @returns {{component: string, field: string, value: unknown, problem: string | null}[]} */
function flatten(updates) {
  return Object.entries(updates).flatMap(([component, fields]) => {
    if (!Object.hasOwn(SETTABLE, component))
      return [{ component, field: component, value: fields, problem: 'unknown' }];
    if (!isObject(fields)) return [{ component, field: component, value: fields, problem: 'invalid' }];
    return Object.entries(fields).map(([field, value]) => ({
      component,
      field: `${component}.${field}`,
      value,
      problem: judge(component, field, value),
    }));
  });
}

/** @param {string} component @param {string} field @param {unknown} value */
function judge(component, field, value) {
  if (!Object.hasOwn(SETTABLE[component], field)) return 'unknown';
  return SETTABLE[component][field](value) ? null : 'invalid';
}

/** @param {Game} game @param {{updates: object, playerId?: string, validate?: boolean}} params */
export function setState(game, { updates, playerId = DEFAULT_PLAYER, validate = true }) {
  const targets = { world: game.world, player: playerOf(game, playerId) };
  const changes = flatten(updates);
  const errors = changes
    .filter(({ problem }) => problem)
    .map(({ field, problem }) => ({ field, message: `The field is ${problem}`, code: problem }));
  if (validate && errors.length > 0) return { applied: {}, errors };
  const applied = {};
  for (const { component, field, value, problem } of changes) {
    if (!problem) apply(game, targets, applied, { component, name: field.slice(component.length + 1), value });
  }
  return errors.length > 0 ? { applied, errors } : { applied };
}

function apply(game, targets, applied, { component, name, value }) {
  if (component === 'player' && name === 'position') game.movePlayer(targets.player.name, value);
  else targets[component][name] = value;
  applied[component] = { ...applied[component], [name]: value };
}
