/** The page's entry: takes a pairing code out of the address, opens the session and renders the page. */
import './no-code-from-strings.js';
import './styles/index.css';
import { createRoot } from 'react-dom/client';
import { PageApp } from './app/PageApp.js';
import { loadMarkdown } from './features/chat/MarkdownText.js';
import { createPagePairing, takePairCode } from './net/pairing.js';
import { findPreloadApi, openPopoverSocket, openSocket, type Socket, type SocketEvents } from './net/socket.js';
import { openPageSession } from './net/session.js';
import { createActions } from './app/actions.js';
import { createPageStore } from './state/store.js';
import { currentLanguage } from './strings.js';

function start(root: HTMLElement): void {
  document.documentElement.lang = currentLanguage === 'zh' ? 'zh-CN' : currentLanguage;
  // Fetched while the host's greeting is on its way. Without it, messages are shown as they were written, until the next try.
  void loadMarkdown().catch(() => undefined);
  const store = createPageStore();
  const pairing = createPagePairing(location.origin, location.host);
  const code = takePairCode(location, history);
  if (code !== null) pairing.offer(code);
  const session = openPageSession(connect, store, pairing);
  window.addEventListener('hashchange', () => {
    const next = takePairCode(location, history);
    if (next !== null) session.pairWith(next);
  });
  // Only Markdown's error boundary catches render errors; it shows the message as plain text itself.
  createRoot(root, { onCaughtError: () => undefined }).render(
    <PageApp store={store} actions={createActions(store, session)} />,
  );
}

/** The popover's page connects through the app's preload script, a browser's page through the address it came from. */
function connect(events: SocketEvents): Socket {
  const preloadApi = findPreloadApi(window);
  if (preloadApi !== null) return openPopoverSocket(preloadApi, events);
  return openSocket(`${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}/ws`, events);
}

const root = document.getElementById('root');
if (root !== null) start(root);
