import { describe, expect, it } from 'vitest';
import type { ShownDocuments, Window } from '../../../src/native/desktop.js';
import type { Opened } from '../../support/macos/reader.js';
import { addApp, addControl, addWindow, at, MAIN } from '../../support/macos/scene.js';
import { MODE } from '../../support/macos/standin.js';
import { withScene } from '../../support/macos/with-scene.js';

const PID = 5_000_650;

let opened: Opened;
const { script, restart } = withScene((started) => ({ opened } = started));

function addBrowser(name: string): { app: number; window: number } {
  const app = addApp(script, { pid: PID, name, bundle: `com.example.${name.replace(' ', '')}` });
  const window = addWindow(script, { app, pid: PID, number: 110, title: 'Page', frame: at(0, 0, 400, 300) });
  return { app, window };
}
function addPage(parent: number, url: string | null): number {
  const page = addControl(script, addControl(script, parent, { role: 'AXGroup' }), { role: 'AXWebArea' });
  if (url !== null) script.text(page, 'AXURL', url, 0);
  return page;
}
const shown = (): Window => {
  const window = opened.windows.list().find(({ id }) => id === '110');
  if (window === undefined) throw new Error('there is no such window');
  return window;
};
const documents = (): ShownDocuments | undefined => shown().documents;
const asked = (): string[] => script.journal().filter((line) => /AXManual|AXEnhanced/.test(line));

describe('the documents of a window', () => {
  it('are those of all its panes; a frame belongs to its page', () => {
    const { window } = addBrowser('Safari');
    const page = addPage(window, 'https://bank.example/');
    addPage(page, 'https://frame.example/');
    addPage(window, 'http://localhost:4780/');
    expect(documents()?.complete).toBe(true);
    expect(documents()?.urls.toSorted()).toEqual(['http://localhost:4780/', 'https://bank.example/']);
    expect(asked()).toEqual([]);
  });

  it('are left out for other programs', () => {
    addPage(addBrowser('Notes').window, 'https://inside.example/');
    expect(documents()).toBeUndefined();
    expect(opened.windows.list().find(({ app }) => app.pid === MAIN.pid)).not.toHaveProperty('documents');
  });

  it('give the address that the window itself does not tell', () => {
    const { window } = addBrowser('Firefox');
    addPage(window, 'https://page.example/');
    expect(shown().documentUrl).toBe('https://page.example/');
    script.text(window, 'AXDocument', 'https://own.example/', 0);
    expect(shown().documentUrl).toBe('https://own.example/');
  });

  it('are not all where one does not tell its address', () => {
    const { window } = addBrowser('Safari');
    addPage(window, null);
    addPage(window, 'https://page.example/');
    expect(documents()).toEqual({ urls: ['https://page.example/'], complete: false });
  });

  it('of a browser without any page may not have built them yet', () => {
    addBrowser('Safari');
    expect(documents()).toEqual({ urls: [], complete: false });
    expect(asked()).toEqual([]);
  });

  it('of a browser that does not answer may show anything', () => {
    addPage(addBrowser('Safari').window, 'https://page.example/');
    script.hang(PID, 1);
    expect(documents()).toEqual({ urls: [], complete: false });
  });

  it('with circles in them end', () => {
    const { window } = addBrowser('Safari');
    script.adopt(addControl(script, window, { role: 'AXGroup' }), window);
    const group = addControl(script, window, { role: 'AXGroup' });
    script.adopt(group, group);
    expect(documents()).toEqual({ urls: [], complete: false });
  });
});

describe('a browser that shows no pages until it is asked', () => {
  it('is asked once', () => {
    const { app, window } = addBrowser('Google Chrome');
    script.boolean(app, 'AXManualAccessibility', 0, MODE.does);
    script.boolean(app, 'AXEnhancedUserInterface', 0, MODE.does);
    expect(documents()).toEqual({ urls: [], complete: false });
    expect(documents()?.complete).toBe(false);
    expect(asked()).toEqual([`set ${app} AXManualAccessibility 1`]);
    addPage(window, 'https://page.example/');
    expect(documents()).toEqual({ urls: ['https://page.example/'], complete: true });
  });

  it('is asked the older way where it knows no other, and not where it only refuses', () => {
    const { app } = addBrowser('Chromium');
    script.boolean(app, 'AXEnhancedUserInterface', 0, MODE.does);
    documents();
    expect(asked()).toEqual([`set ${app} AXEnhancedUserInterface 1`]);
    restart();
    const other = addBrowser('Vivaldi').app;
    script.boolean(other, 'AXManualAccessibility', 0, MODE.refuses);
    script.boolean(other, 'AXEnhancedUserInterface', 0, MODE.does);
    documents();
    expect(asked()).toEqual([]);
  });
});
