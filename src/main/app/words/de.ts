import type { Words } from './index.js';

export const de: Words = {
  state: {
    idle: () => 'Keine Agenten',
    watching: () => 'Schaut zu',
    acting: () => 'Ein Agent handelt',
    waiting: (count) => `Wartet auf dich, ${count}`,
    paused: () => 'Angehalten',
    missing: () => 'Eine Berechtigung fehlt',
  },
  menu: {
    open: 'Chaperone öffnen',
    browser: 'Im Browser öffnen',
    stop: (hotkey) => (hotkey === null ? 'Alles stoppen' : `Alles stoppen (${hotkey})`),
    pause: 'Agenten anhalten',
    resume: 'Agenten weitermachen lassen',
    logs: 'Protokollordner öffnen',
    login: 'Beim Anmelden starten',
    quit: 'Chaperone beenden',
  },
  alert: {
    wants: (agent) => `${agent} möchte`,
    inApp: (what, app) => `${what} in ${app}`,
    quoted: (verb, target) => `${verb} „${target}“`,
    asks: (agent) => `${agent} fragt dich`,
    broken: 'Das Fenster von Chaperone ist abgestürzt',
    brokenText: 'Agenten warten weiter. Öffne es über die Menüleiste noch einmal oder nimm „Im Browser öffnen“.',
    login: '„Beim Anmelden starten“ ließ sich nicht ändern',
    ended: 'Chaperone musste sich beenden',
    endedText: 'Was wartete, wurde abgelehnt. Im Protokoll steht, warum.',
  },
  failed: 'Chaperone konnte nicht starten',
};
