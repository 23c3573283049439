/** Was die Einstellungen sagen, auf Deutsch. */
import { countingIn } from './count.js';
import type { Words } from './words.js';

const { counted, plural, percent, seconds, size } = countingIn('de-DE');

export const deSettings: Words['settings'] = {
  when: 'Wann Chaperone Sie fragt',
  presets: {
    standard: [
      'Standard',
      'Fragt, bevor etwas bewegt, geklickt oder getippt wird, und einmal je Sitzung, bevor ein Agent Ihren Bildschirm sieht.',
    ],
    strict: ['Streng', 'Fragt jedes einzelne Mal, auch vor jedem Blick auf Ihren Bildschirm. Nichts wird gespeichert.'],
    readonly: ['Nur lesen', 'Agenten dürfen schauen, wenn Sie zustimmen. Ändern können sie nichts.'],
    unattended: ['Unbeaufsichtigt', 'Führt alles aus, ohne zu fragen. Nur über die Befehlszeile:'],
    custom: ['Ihre eigene', 'Aus Ihrer Regeldatei.'],
  },
  use: (name) => `„${name}“ verwenden`,
  until: (name) => `Bis dahin gilt „${name}“.`,
  each: 'Wonach jede fragt',
  wantsTo: 'Wenn ein Agent möchte',
  effects: {
    read: ['Bildschirme, Zeiger und Fensterzustand nachsehen', 'Keine Namen, kein Inhalt'],
    bookkeeping: ['Notizen führen, warten, nachsehen', 'Nichts verlässt Chaperone'],
    disclose: ['Bildschirm, Text oder Zwischenablage sehen', 'Was er sieht, geht an das Modell des Agenten'],
    pointer: ['Zeiger, Fokus oder Fenster bewegen', ''],
    input: ['Klicken, tippen, Apps öffnen', ''],
    dangerous: ['Schließen, Befehle ausführen, Zwischenablage ersetzen', 'Nie gespeichert'],
  },
  answers: {
    allow: 'Läuft',
    ask: 'Fragt',
    every: 'Jedes Mal',
    ask_once_per_session: 'Fragt einmal',
    deny: 'Verweigert',
  },
  habits: {
    heading: 'Wie Sie entscheiden',
    nothing: (days) => `In den letzten ${counted(days)} Tagen wurden Sie nichts gefragt.`,
    asked: (days, asked, allowed, unanswered) =>
      `In den letzten ${counted(days)} Tagen wurden Sie ${counted(asked)}-mal gefragt und haben ${counted(allowed)}-mal erlaubt (${percent(allowed / asked)})${unanswered === 0 ? '.' : `; ${counted(unanswered)}-mal lief die Zeit ab.`}`,
    median: (ms, hasty) =>
      `Die Hälfte Ihrer Antworten kam innerhalb von ${seconds(ms)} s. In weniger als 2 s haben Sie ${hasty === 0 ? 'nichts' : `${counted(hasty)}-mal`} erlaubt.`,
    few: 'Das ist zu wenig, um eine Gewohnheit zu erkennen.',
    hasty:
      'Das meiste haben Sie in weniger als 2 Sekunden erlaubt. Das reicht kaum, um zu lesen, wer was möchte und wo.',
  },
  excludedApps: {
    heading: 'Von Agenten ferngehalten',
    text: 'Agenten sehen und berühren diese nicht: Ihre Fenster sind in Bildern geschwärzt und fehlen in allem anderen.',
    none: 'Keine App.',
    remove: 'Agenten zulassen',
    add: 'Agenten von einer weiteren App fernhalten',
    keep: 'Fernhalten',
    other: 'Eine andere App, über ihre Kennung',
  },
  retention: {
    heading: 'Wie lange Belege bleiben',
    text: 'Belege sind die Bilder, Fensterinhalte und der Ablauf jeder Handlung. Werden sie gelöscht, bleibt die Zeile darüber in der Aufzeichnung und sagt es, und die Aufzeichnung lässt sich weiterhin prüfen.',
    age: 'Belege löschen, die älter sind als',
    size: 'Die ältesten löschen ab',
    never: 'Nie',
    noLimit: 'Keine Grenze',
    days: (days) => `${counted(days)} ${plural(days, 'Tag', 'Tage')}`,
    bytes: (bytes) => size(bytes),
    use: 'Übernehmen',
    atOnce: 'Was dann zu alt oder zu viel ist, wird sofort und endgültig gelöscht.',
  },
  appearance: {
    heading: 'Diese Seite',
    theme: 'Darstellung',
    themes: { system: 'Wie das System', light: 'Hell', dark: 'Dunkel' },
    language: 'Sprache',
    asBrowser: 'Wie der Browser',
  },
  granted: 'Was Sie erlaubt haben',
  noGrants: 'Nichts außer einzelnen Handlungen.',
  grantIn: (agent, app) => `${agent} in ${app}`,
  lasts: (time) => `bis ${time}`,
  uses: (count) => `noch ${counted(count)}-mal`,
  takeBack: 'Zurücknehmen',
  pairedPages: 'Gekoppelte Seiten',
  thisPage: 'Diese Seite',
  otherPage: 'Anderer Browser oder anderes Profil',
  pairedAt: (time, by) =>
    `Gekoppelt ${time}, mit einem Link aus ${by === 'popover' ? 'der Menüleiste' : 'dem Terminal'}`,
  lastSeen: (time) => `zuletzt gesehen ${time}`,
  unpair: 'Entkoppeln',
  pairing: {
    waits: 'Diese Seite wartet auf Ihre Bestätigung',
    waitsPage:
      'Gehen Sie zu einer schon gekoppelten Seite und erlauben Sie dort „Seite koppeln“. Bis dahin lässt sich hier nichts erlauben.',
    waitsPopover:
      'Öffnen Sie Chaperone in der Menüleiste und erlauben Sie dort „Seite koppeln“. Bis dahin lässt sich hier nichts erlauben.',
    another: 'Eine weitere Seite wurde gekoppelt',
    earlier: 'Vor dieser Seite wurden schon andere gekoppelt',
    inBrowser: (browser) => `geöffnet von ${browser}`,
    ended: (time) => `aufgehoben ${time}`,
    check: 'Eine gekoppelte Seite kann alles erlauben. Entkoppeln Sie, was Sie nicht kennen.',
  },
  permissions: { granted: 'Erteilt', missing: 'Fehlt', stale: 'Veraltet', unknown: 'Unbekannt' },
  recordOk: 'Geprüft',
  recordBad: 'Stimmt nicht',
};
