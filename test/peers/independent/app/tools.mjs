/** The tools of the game (SCHEMA/1.0/common/tool.schema.json). */
import { CODES, GabpError } from '../lib/errors.mjs';
import { validate } from '../lib/validator.mjs';

/**
 * @typedef {{game: import("./game.mjs").Game, requestId: string}} Context
 * @typedef {{definition: any, run: (args: any, context: Context) => unknown}} Tool
 */

/** @param {Record<string, object>} properties @param {string[]} [required] */
const object = (properties, required = []) => ({ type: 'object', properties, required, additionalProperties: false });

const coordinates = object({ x: { type: 'number' }, y: { type: 'number' }, z: { type: 'number' } }, ['x', 'y', 'z']);

/** @param {number} ms */
const sleep = (ms) => new Promise((done) => setTimeout(done, ms));

/** @type {Tool[]} */
const TOOLS = [
  {
    definition: {
      name: 'hold/inspect',
      title: 'Inspect the hold',
      description: 'Tells the weather, the heat of the furnace, the walls and the players. Changes nothing.',
      inputSchema: object({}),
      outputSchema: object(
        {
          weather: { type: 'string' },
          heat: { type: 'integer' },
          walls: { type: 'array', items: { type: 'string' } },
          players: { type: 'array', items: { type: 'string' } },
        },
        ['weather', 'heat', 'walls', 'players'],
      ),
      tags: ['hold', 'read-only'],
    },
    run: (_args, { game }) => ({
      weather: game.world.weather,
      heat: game.world.heat,
      walls: [...game.walls.keys()],
      players: [...game.players.keys()],
    }),
  },
  {
    definition: {
      name: 'player/walk_to',
      title: 'Walk to a place',
      description: 'Moves a player. Sends an event on player/move.',
      inputSchema: object({ playerId: { type: 'string', minLength: 1 }, position: coordinates }, [
        'playerId',
        'position',
      ]),
      outputSchema: object({ playerId: { type: 'string' }, position: coordinates }, ['playerId', 'position']),
      tags: ['player', 'write'],
    },
    run: ({ playerId, position }, { game }) => {
      if (!game.players.has(playerId)) {
        throw new GabpError(CODES.TOOL_FAILED, 'There is no such player', { playerId });
      }
      game.movePlayer(playerId, position);
      return { playerId, position };
    },
  },
  {
    definition: {
      name: 'furnace/set_heat',
      title: 'Set the heat of the furnace',
      description:
        'Changes the heat. From 800 on an advisory attention item is open, from 1000 on a blocking one; below 800 it ' +
        'is cleared. With attentionAfterMs the attention changes that much later than the answer.',
      inputSchema: object(
        {
          heat: { type: 'integer', minimum: 0, maximum: 1500 },
          attentionAfterMs: { type: 'integer', minimum: 1, maximum: 10000 },
        },
        ['heat'],
      ),
      outputSchema: object({ before: { type: 'integer' }, heat: { type: 'integer' } }, ['before', 'heat']),
      tags: ['furnace', 'write'],
    },
    run: ({ heat, attentionAfterMs }, { game, requestId }) => {
      const before = game.world.heat;
      game.world.heat = heat;
      const cause = { operationId: requestId, method: 'furnace/set_heat' };
      if (attentionAfterMs) setTimeout(() => game.heatChanged(heat, cause), attentionAfterMs);
      else game.heatChanged(heat, cause);
      return { before, heat };
    },
  },
  {
    definition: {
      name: 'wall/demolish',
      title: 'Demolish a wall',
      description: 'Destroys a wall for ever. Sends an event on world/block_change.',
      inputSchema: object({ wall: { type: 'string', enum: ['north', 'south', 'east'] } }, ['wall']),
      outputSchema: object({ demolished: { type: 'string' }, blockType: { type: 'string' } }, [
        'demolished',
        'blockType',
      ]),
      tags: ['wall', 'destructive'],
    },
    run: ({ wall }, { game }) => {
      if (!game.walls.has(wall)) throw new GabpError(CODES.TOOL_FAILED, 'The wall is already down', { wall });
      return { demolished: wall, blockType: game.demolish(wall).blockType };
    },
  },
  {
    definition: {
      name: 'bell/ring',
      title: 'Ring the bell',
      description: 'Rings the bell and returns null. Sends one event on hold/bell_rung for each ring.',
      inputSchema: object({ times: { type: 'integer', minimum: 1, maximum: 100 } }),
      outputSchema: { type: 'null' },
      tags: ['bell', 'write'],
    },
    run: ({ times = 1 }, { game }) => {
      game.ringBell(times);
      return null;
    },
  },
  {
    definition: {
      name: 'gate/open_sealed',
      title: 'Open the sealed gate',
      description: 'Always fails with an error of the game: the gate is sealed.',
      inputSchema: object({}),
      outputSchema: object({ opened: { type: 'boolean' } }, ['opened']),
      tags: ['gate', 'write'],
    },
    run: () => {
      throw new GabpError(CODES.TOOL_FAILED, 'The gate is sealed by runes', { gate: 'sealed', reason: 'runes' });
    },
  },
  {
    definition: {
      name: 'clock/wait',
      title: 'Wait',
      description: 'Answers after the given number of milliseconds.',
      inputSchema: object({ ms: { type: 'integer', minimum: 0, maximum: 120000 } }, ['ms']),
      outputSchema: object({ waitedMs: { type: 'integer' } }, ['waitedMs']),
      tags: ['clock', 'read-only'],
    },
    run: async ({ ms }) => {
      await sleep(ms);
      return { waitedMs: ms };
    },
  },
];

/** @type {Map<string, Tool>} */
const BY_NAME = new Map(TOOLS.map((tool) => [tool.definition.name, tool]));

export const definitions = () => TOOLS.map((tool) => tool.definition);

/**
 * @param {string} name @param {object} args @param {Context} context
 * @returns {Promise<unknown>}
 */
export async function callTool(name, args, context) {
  const tool = BY_NAME.get(name);
  if (!tool) throw new GabpError(CODES.TOOL_NOT_FOUND, 'Tool not found', { name });
  const errors = validate(args, tool.definition.inputSchema);
  if (errors.length > 0) throw new GabpError(CODES.INVALID_PARAMS, 'Invalid tool arguments', { name, errors });
  return tool.run(args, context);
}
