/** Takes a pairing code out of the address, opens the session, draws. Everything below is told what it needs. Called by main.ts. */
import { createRoot } from 'react-dom/client';
import { PageApp } from './app/PageApp.js';
import { createPagePairing, takePairCode } from './net/pairing.js';
import { findPreloadApi, openPopoverSocket } from './net/popover-socket.js';
import { openPageSession } from './net/session.js';
import { openSocket, type Socket, type SocketEvents } from './net/socket.js';
import { createActions } from './app/actions.js';
import { createPageStore } from './state/store.js';
import { spoken } from './strings.js';
import './styles/index.css';

export function start(root: HTMLElement): void {
  document.documentElement.lang = spoken === 'zh' ? 'zh-CN' : spoken;
  const store = createPageStore();
  const pairing = createPagePairing(location.origin, location.host);
  const code = takePairCode(location, history);
  if (code !== null) pairing.offer(code);
  const session = openPageSession(connect, store, pairing);
  window.addEventListener('hashchange', () => {
    const next = takePairCode(location, history);
    if (next !== null) session.pairWith(next);
  });
  // A message no parser can take is caught and shown plainly; nothing else is caught anywhere.
  createRoot(root, { onCaughtError: () => undefined }).render(
    <PageApp store={store} actions={createActions(store, session)} />,
  );
}

/** The popover talks to the app it lies in, a browser's page to its host's address. */
function connect(events: SocketEvents): Socket {
  const bridge = findPreloadApi(window);
  if (bridge !== null) return openPopoverSocket(bridge, events);
  return openSocket(`${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}/ws`, events);
}
