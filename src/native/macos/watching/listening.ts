/** Changes and input as the host hears of them: listeners outlive the helpers that tell. */
import { createEmitter } from '../../../base/emitter.js';
import type { ChangeHint, DesktopBackend, Point } from '../../desktop.js';
import type { HelperClient } from '../helper/client.js';

export type Listening = Required<
  Pick<DesktopBackend, 'onChange' | 'onPersonInput' | 'onPersonPress' | 'onSyntheticInput' | 'flushInputEvents'>
>;

const LIMIT_MS = 10_000;
const KINDS: readonly ChangeHint['kind'][] = ['windows', 'applications', 'elements'];

export function createListening(
  changesHelper: HelperClient,
  eventsHelper: HelperClient,
): Listening & { close(): void } {
  const changes = createEmitter<ChangeHint>();
  const person = createEmitter<Point | null>();
  const presses = createEmitter<Point | null>();
  const synthetic = createEmitter<void>();
  const ending = new AbortController();
  const watching = { changes: false, input: false };

  // Where a helper ends in it the next one is asked.
  const watchChanges = (): void =>
    void changesHelper.call('watchChanges', [], LIMIT_MS, ending.signal).catch(() => undefined);
  const watchInput = (): void =>
    void eventsHelper.call('watchInput', [], LIMIT_MS, ending.signal).catch(() => undefined);
  const offs = [
    changesHelper.onReady(() => {
      if (!watching.changes) return;
      watchChanges();
      // Nobody looked in between.
      for (const kind of KINDS) changes.emit({ kind, pid: null });
    }),
    eventsHelper.onReady(() => watching.input && watchInput()),
    changesHelper.onTold((told) => told.kind === 'change' && changes.emit(told.hint)),
    eventsHelper.onTold((told) => {
      if (told.kind !== 'input') return;
      if (told.from === 'program') return synthetic.emit();
      if (told.pressed) presses.emit(told.at);
      person.emit(told.at);
    }),
  ];
  const hear = (what: keyof typeof watching, watch: () => void): void => {
    if (!watching[what]) watch();
    watching[what] = true;
  };

  return {
    onChange(listener) {
      hear('changes', watchChanges);
      return changes.on(listener);
    },
    onPersonInput(listener) {
      hear('input', watchInput);
      return person.on(listener);
    },
    onPersonPress(listener) {
      hear('input', watchInput);
      return presses.on(listener);
    },
    onSyntheticInput(listener) {
      hear('input', watchInput);
      return synthetic.on(listener);
    },
    async flushInputEvents(signal) {
      hear('input', watchInput);
      await eventsHelper.call('flushInput', [], LIMIT_MS, signal);
    },
    close() {
      ending.abort();
      for (const off of offs) off();
    },
  };
}
