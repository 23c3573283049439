/** The whole of what the popover's page gets from the app: text out, text in. Runs sandboxed, so it is one CommonJS file without imports of ours. */
// eslint-disable-next-line @typescript-eslint/no-require-imports -- a sandboxed preload script is CommonJS
import electron = require('electron');

const { contextBridge, ipcRenderer } = electron;

contextBridge.exposeInMainWorld('chaperone', {
  send: (text: unknown) => {
    if (typeof text === 'string') ipcRenderer.send('chaperone:send', text);
  },
  /** Opens the connection, or opens it anew with another listener. */
  onMessage: (listener: (text: string | null) => void) => {
    ipcRenderer.removeAllListeners('chaperone:message');
    ipcRenderer.on('chaperone:message', (_event, text: unknown) => {
      if (text === null || typeof text === 'string') listener(text);
    });
    ipcRenderer.send('chaperone:open');
  },
});
