import type { Effect } from '../protocol/index.js';

type ReadingEffect = Extract<Effect, 'read' | 'bookkeeping' | 'disclose'>;

export const isReading = (effect: Effect): effect is ReadingEffect =>
  effect === 'read' || effect === 'bookkeeping' || effect === 'disclose';
