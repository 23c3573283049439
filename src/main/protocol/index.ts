/** Pure shapes of everything on a wire: no Node, no DOM. Comes in: bytes and values. Goes out: messages or WireErrors. Everyone above calls it. */
export * from './call-times.js';
export * from './clients.js';
export * from './commands.js';
export * from './demo.js';
export * from './effects.js';
export * from './errors.js';
export * from './live.js';
export * from './page.js';
export * from './plain.js';
export * from './record.js';
export * from './presets.js';
export * from './reveal.js';
export * from './settings.js';
export * from './shown.js';
export * from './subject.js';
