import { named, type Kinds } from './kinds.js';
import type { Words } from './en.js';

const KINDS: Kinds = {
  read: 'Etwas nachsehen',
  bookkeeping: 'Etwas notieren',
  disclose: 'Bildschirm, Text oder Zwischenablage sehen',
  pointer: 'Zeiger, Fokus oder Fenster bewegen',
  input: 'Klicken, tippen oder öffnen',
  dangerous: 'Etwas Gefährliches tun',
};

export const de: Words = {
  state: {
    idle: () => 'Keine Agenten',
    watching: () => 'Schaut zu',
    acting: () => 'Ein Agent handelt',
    waiting: (count) => `Wartet auf Sie: ${count}`,
    paused: () => 'Pausiert',
    missing: () => 'Eine Berechtigung fehlt',
  },
  menu: {
    open: 'Chaperone öffnen',
    browser: 'Im Browser öffnen',
    stop: (hotkey) => (hotkey === null ? 'Alles stoppen' : `Alles stoppen (${hotkey})`),
    pause: 'Agenten pausieren',
    resume: 'Agenten fortsetzen',
    logs: 'Protokollordner öffnen',
    login: 'Beim Anmelden starten',
    quit: 'Chaperone beenden',
  },
  alert: {
    wants: (agent) => `${agent} möchte`,
    body: ({ target, app }, effect) =>
      `${KINDS[effect]}${target !== null && named(effect) ? `: „${target}“` : ''}${app === null ? '' : ` in ${app}`}`,
    asks: (agent) => `${agent} fragt Sie`,
    paired: 'Eine Seite wurde gekoppelt',
    pairedText: (browser) =>
      `${browser === null ? '' : `Geöffnet von ${browser}. `}Sie kann erlauben, was Agenten wollen. Wenn es nicht Ihre ist, entkoppeln Sie sie in den Einstellungen.`,
    broken: 'Das Fenster von Chaperone ist abgestürzt',
    brokenText:
      'Agenten warten weiter. Öffnen Sie es über die Menüleiste noch einmal oder nehmen Sie „Im Browser öffnen“.',
    login: '„Beim Anmelden starten“ ließ sich nicht ändern',
    ended: 'Chaperone musste sich beenden',
    endedText: 'Was wartete, wurde abgelehnt. Im Protokoll steht, warum.',
  },
  failed: 'Chaperone konnte nicht starten',
};
