import type { IpcMain, IpcMainEvent, WebContents } from 'electron';
import type { Logger } from 'pino';
import { readJson } from '../protocol/json.js';
import type { PageSocket } from '../serve/page/page.js';
import { isPage } from './scheme.js';

const CHANNELS = { open: 'chaperone:open', send: 'chaperone:send', message: 'chaperone:message' } as const;

interface PopoverIpcOptions {
  ipc: Pick<IpcMain, 'on' | 'removeListener'>;
  /** The popover's present contents. */
  contents(): WebContents | null;
  accept(socket: PageSocket): void;
  log: Logger;
}

/** The popover's page ⇄ the host. Each message is taken only from the main frame of the popover's own page. */
export function servePopoverIpc({ ipc, contents, accept, log }: PopoverIpcOptions) {
  let current: ReturnType<typeof openSocket> | null = null;

  function trusted(event: IpcMainEvent): boolean {
    const popover = contents();
    const good = popover !== null && isMainFrame(event, popover);
    if (!good)
      log.warn({ sender: event.sender.id }, 'app: a message from a sender that is not the popover was refused');
    return good;
  }

  function onOpen(event: IpcMainEvent): void {
    if (!trusted(event)) return;
    drop();
    current = openSocket(event.sender);
    accept(current.socket);
  }

  function onSend(event: IpcMainEvent, text: unknown): void {
    if (trusted(event)) current?.receive(text);
  }

  function drop(): void {
    current?.gone();
    current = null;
  }

  ipc.on(CHANNELS.open, onOpen);
  ipc.on(CHANNELS.send, onSend);
  return {
    /** The page has gone: reloaded, crashed or closed. */
    dropPage: drop,
    close(): void {
      ipc.removeListener(CHANNELS.open, onOpen);
      ipc.removeListener(CHANNELS.send, onSend);
      drop();
    },
  };
}

/** Reading a destroyed frame throws; that counts as untrusted. */
function isMainFrame(event: IpcMainEvent, popover: WebContents): boolean {
  try {
    const { sender, senderFrame: frame } = event;
    if (sender !== popover || popover.isDestroyed() || frame === null) return false;
    return frame === popover.mainFrame && frame.parent === null && isPage(frame.url);
  } catch {
    return false;
  }
}

function openSocket(contents: WebContents) {
  let limit = 0;
  let ended = false;
  let listener: (message: unknown) => void = () => undefined;
  const closing = new Set<() => void>();

  function gone(): void {
    if (ended) return;
    ended = true;
    for (const each of closing) each();
  }

  function post(text: string | null): void {
    if (!contents.isDestroyed()) contents.send(CHANNELS.message, text);
  }

  const socket: PageSocket = {
    async sendText(text) {
      if (ended || contents.isDestroyed()) throw new Error('the popover has gone');
      post(text);
    },
    onMessage: (given) => (listener = given),
    onClose: (given) => void closing.add(given),
    close() {
      if (ended) return;
      gone();
      post(null);
    },
    setLimit: (bytes) => (limit = bytes),
  };

  return {
    socket,
    gone,
    receive(text: unknown): void {
      if (ended) return;
      if (typeof text !== 'string' || text.length > limit) return socket.close('a message is over the size limit');
      listener(readJson(text));
    },
  };
}
