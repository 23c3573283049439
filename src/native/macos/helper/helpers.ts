import { createEmitter } from '../../../base/emitter.js';
import type { Message } from '../../../messages/index.js';
import { openHelperClient, type HelperOptions } from './client.js';

/** One process for each kind of call that must not wait behind another kind: an application that hangs holds up elements only. */
export type Helpers = ReturnType<typeof openHelpers>;

export function openHelpers(options: HelperOptions) {
  const losses = createEmitter<Message>();
  const elements = openHelperClient(options);
  const events = openHelperClient(options);
  const clipboard = openHelperClient(options);
  const pictures = openHelperClient(options);
  const changes = openHelperClient(options);
  const all = [elements, events, clipboard, pictures, changes];
  let lost = false;
  const close = (reason?: Message): void => all.forEach((each) => each.close(reason));
  for (const each of all) {
    each.onLost((reason) => {
      if (lost) return;
      lost = true;
      close(reason);
      losses.emit(reason);
    });
  }
  return {
    elements,
    /** Pointer and keys. */
    events,
    clipboard,
    pictures,
    /** Of windows, applications and elements. */
    changes,
    all,
    /** All of them anew: they see what this process has been allowed meanwhile. */
    renew: (): void => all.forEach((each) => each.renew()),
    /** Once, when the first of them cannot be had any more; the others have ended by then. */
    onLost: losses.on,
    close: (): void => close(),
  };
}
