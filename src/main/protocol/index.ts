/** Schemas, envelopes and errors of everything sent between processes. Pure: no Node, no DOM, no state. Every layer above may call it. */
export * from './client-names.js';
export * from './clients.js';
export * from './commands.js';
export * from './desktops.js';
export * from './demo.js';
export * from './effects.js';
export * from './errors.js';
export * from './gabp-apps.js';
export * from './live.js';
export * from './page.js';
export * from './record.js';
export * from './reveal.js';
export * from './settings.js';
export * from './shown.js';
export * from './subject.js';
export * from './tasks.js';
