/** The payload schemas of asyncapi.yaml (components/schemas), carried over by hand. */

/** @param {string} type @param {string[]} required */
const point = (type, required) => ({
  type: 'object',
  required,
  properties: { x: { type }, y: { type }, z: { type } },
  additionalProperties: false,
});

const AXES = ['x', 'y', 'z'];

const item = {
  type: 'object',
  properties: { type: { type: 'string' }, count: { type: 'integer', minimum: 0 }, metadata: { type: 'object' } },
  additionalProperties: false,
};

/** @type {Record<string, object>} by channel */
export const ASYNCAPI_PAYLOADS = {
  'player/move': {
    type: 'object',
    required: ['playerId', 'position'],
    properties: {
      playerId: { type: 'string' },
      position: point('number', AXES),
      velocity: point('number', []),
      rotation: {
        type: 'object',
        properties: {
          yaw: { type: 'number', minimum: -180, maximum: 180 },
          pitch: { type: 'number', minimum: -90, maximum: 90 },
        },
        additionalProperties: false,
      },
    },
    additionalProperties: false,
  },
  'world/block_change': {
    type: 'object',
    required: ['position', 'action'],
    properties: {
      position: point('integer', AXES),
      action: { enum: ['place', 'break', 'replace'] },
      oldBlockType: { type: 'string' },
      newBlockType: { type: 'string' },
      playerId: { type: 'string' },
      tool: { type: 'string' },
    },
    additionalProperties: false,
  },
  'inventory/update': {
    type: 'object',
    required: ['playerId', 'action'],
    properties: {
      playerId: { type: 'string' },
      action: { enum: ['add', 'remove', 'move', 'update'] },
      slot: { type: 'integer', minimum: 0 },
      item,
      previousItem: item,
    },
    additionalProperties: false,
  },
};
