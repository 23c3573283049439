/** Schemas, envelopes and errors of everything sent between processes. Pure: no Node, no DOM, no state. Every layer above may call it. */
export * from './client-names.js';
export * from './effects.js';
export * from './errors.js';
export * from './live-data.js';
export * from './page.js';
export * from './record.js';
export * from './reveal.js';
export * from './shown.js';
export * from './subject.js';
export * from './settings.js';
