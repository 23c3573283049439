/** The imaginary game "Cinderhold": a mountain hold with players, walls, a bell and a furnace. */
import { Attention, Diagnostics } from './attention.mjs';
import { EventHub } from './events.mjs';

export const APP = Object.freeze({ name: 'Cinderhold', version: '0.7.2' });

const CHANNELS = [
  'player/move',
  'world/block_change',
  'hold/bell_rung',
  'attention/opened',
  'attention/updated',
  'attention/cleared',
];

const WARM = 800;
const BURNING = 1000;

export class Game {
  constructor() {
    this.events = new EventHub(CHANNELS);
    this.diagnostics = new Diagnostics();
    this.attention = new Attention((channel, payload) => this.events.emit(channel, payload), this.diagnostics);
    this.world = { weather: 'ashfall', time: 6000, heat: 300, bellRings: 0 };
    this.players = new Map([
      ['mira', { name: 'mira', position: { x: 0, y: 64, z: 0 }, health: 20 }],
      ['tolan', { name: 'tolan', position: { x: 5, y: 64, z: -3 }, health: 17 }],
    ]);
    this.walls = new Map([
      ['north', { position: { x: 0, y: 64, z: -10 }, blockType: 'basalt' }],
      ['south', { position: { x: 0, y: 64, z: 10 }, blockType: 'basalt' }],
      ['east', { position: { x: 10, y: 64, z: 0 }, blockType: 'slate' }],
    ]);
    /** @type {string | null} the attention item of the furnace */
    this.furnaceItem = null;
  }

  /** @param {number} times */
  ringBell(times) {
    for (let ring = 0; ring < times; ring += 1) {
      this.world.bellRings += 1;
      this.events.emit('hold/bell_rung', { ring: this.world.bellRings });
    }
  }

  /** @param {string} playerId @param {{x: number, y: number, z: number}} position */
  movePlayer(playerId, position) {
    this.players.get(playerId).position = position;
    this.events.emit('player/move', { playerId, position });
  }

  /** @param {string} name */
  demolish(name) {
    const wall = this.walls.get(name);
    this.walls.delete(name);
    this.events.emit('world/block_change', {
      position: wall.position,
      action: 'break',
      oldBlockType: wall.blockType,
    });
    return wall;
  }

  /**
   * @param {number} heat
   * @param {{operationId: string, method: string}} cause
   */
  heatChanged(heat, cause) {
    const open = this.furnaceItem !== null && this.attention.items.has(this.furnaceItem);
    if (heat < WARM) {
      if (open) this.attention.clear(this.furnaceItem, 'The furnace has cooled down.')();
      this.furnaceItem = null;
      return;
    }
    const change = this.describeHeat(heat);
    if (open) this.attention.update(this.furnaceItem, change);
    else this.furnaceItem = this.attention.open({ ...change, ...cause });
  }

  /** @param {number} heat */
  describeHeat(heat) {
    const burning = heat >= BURNING;
    return {
      level: burning ? 'error' : 'warning',
      message: `Furnace at ${heat} degrees`,
      blocking: burning,
      stateInvalidated: burning,
      summary: burning
        ? 'The furnace is burning through its walls; what was read before may no longer be true.'
        : 'The furnace runs hot.',
    };
  }
}
