/** Warum etwas pausiert ist oder nicht ging, was ein Mensch wollte, auf Deutsch. */
import type { Phrases } from './phrasebook.js';

export const deSaid: Phrases = {
  'You paused agents.': 'Sie haben die Agenten pausiert.',
  'You paused this agent.': 'Sie haben diesen Agenten pausiert.',
  'You stopped agents.': 'Sie haben die Agenten angehalten.',
  '`chaperone stop` paused agents.': '`chaperone stop` hat die Agenten pausiert.',
  '`chaperone stop` paused this agent.': '`chaperone stop` hat diesen Agenten pausiert.',
  '`chaperone stop` stopped agents.': '`chaperone stop` hat die Agenten angehalten.',
  'An agent paused agents.': 'Ein Agent hat die Agenten pausiert.',
  'An agent paused this agent.': 'Ein Agent hat diesen Agenten pausiert.',
  'An agent stopped agents.': 'Ein Agent hat die Agenten angehalten.',
  'Chaperone paused agents.': 'Chaperone hat die Agenten pausiert.',
  'Chaperone paused this agent.': 'Chaperone hat diesen Agenten pausiert.',
  'Chaperone stopped agents.': 'Chaperone hat die Agenten angehalten.',
  'You denied three requests within a minute.': 'Sie haben binnen einer Minute drei Anfragen abgelehnt.',
  'You took over the desktop.': 'Sie haben den Desktop übernommen.',
  'The record of open requests could not be read.': 'Die Aufzeichnung offener Anfragen war nicht lesbar.',
  'There is no such request, or it ended before this host started.':
    'Diese Anfrage gibt es nicht, oder sie endete, bevor dieser Host startete.',
  'An answer is allow or deny.': 'Eine Antwort ist Erlauben oder Ablehnen.',
  'This request changed. Read it again, then decide.':
    'Diese Anfrage hat sich geändert. Lesen Sie sie noch einmal und entscheiden Sie dann.',
  'The request had only just appeared. Nothing was decided; press again.':
    'Die Anfrage war gerade erst erschienen. Nichts wurde entschieden; drücken Sie noch einmal.',
  'Only a person in the popover or in a paired page can allow.':
    'Nur ein Mensch in der Menüleiste oder auf einer gekoppelten Seite kann erlauben.',
  'Agents are paused: {reason*} Let them go on first.':
    'Die Agenten sind pausiert: {reason} Lassen Sie sie zuerst weitermachen.',
  'The agent has ended, so nothing would come of an Allow. Dismiss the request.':
    'Der Agent ist beendet; ein „Erlauben“ hätte keine Wirkung. Verwerfen Sie die Anfrage.',
  'Decide this in the menu bar.': 'Entscheiden Sie das in der Menüleiste.',
  'This cannot be given for longer than once.': 'Das lässt sich nur für dieses eine Mal erlauben.',
  'Nothing was decided: an agent’s input came as you pressed. Press Allow again.':
    'Nichts wurde entschieden: Während Sie drückten, kam eine Eingabe eines Agenten. Drücken Sie noch einmal „Erlauben“.',
  'Nothing was decided: another program’s input came as you pressed. Press Allow again; remote desktops and on-screen keyboards need --accept-synthetic-input.':
    'Nichts wurde entschieden: Während Sie drückten, kam eine Eingabe eines anderen Programms. Drücken Sie noch einmal „Erlauben“; Fernsteuerung und Bildschirmtastaturen brauchen --accept-synthetic-input.',
  'Nothing was decided: an agent held a key or button, which was let go. Press Allow again.':
    'Nichts wurde entschieden: Ein Agent hielt eine Taste gedrückt, die losgelassen wurde. Drücken Sie noch einmal „Erlauben“.',
  'Nothing was decided: another window lies over this request, {window}. Move it away, then press Allow again.':
    'Nichts wurde entschieden: Ein anderes Fenster liegt über dieser Anfrage, {window}. Schieben Sie es weg und drücken Sie dann noch einmal „Erlauben“.',
  'No press on this request was reported. Nothing was decided; press Allow again.':
    'Es wurde kein Druck auf „Erlauben“ gemeldet. Nichts wurde entschieden; drücken Sie noch einmal „Erlauben“.',
  'Nothing was decided: it could not be told whether the press was a person’s.':
    'Nichts wurde entschieden: es ließ sich nicht feststellen, ob ein Mensch gedrückt hat.',
  'Nothing was decided: {why*}': 'Nichts wurde entschieden: {why}',
  'Approvals failed, so no: {why*}': 'Die Freigabe ist fehlgeschlagen, deshalb nein: {why}',
  'This request ran out of time, at {at}.': 'Für diese Anfrage lief die Zeit ab, um {at}.',
  'This request was taken back by the agent, at {at}.': 'Diese Anfrage nahm der Agent zurück, um {at}.',
  'This request ended when agents were paused, at {at}.':
    'Diese Anfrage endete, als die Agenten pausiert wurden, um {at}.',
  'This request ended when agents were stopped, at {at}.':
    'Diese Anfrage endete, als die Agenten angehalten wurden, um {at}.',
  'Already allowed from the page, at {at}.': 'Schon auf einer Seite erlaubt, um {at}.',
  'Already denied from the page, at {at}.': 'Schon auf einer Seite abgelehnt, um {at}.',
  'Already allowed from the popover, at {at}.': 'Schon in der Menüleiste erlaubt, um {at}.',
  'Already denied from the popover, at {at}.': 'Schon in der Menüleiste abgelehnt, um {at}.',
  'Already allowed from the {where}, at {at}.': 'Schon erlaubt ({where}), um {at}.',
  'Already denied from the {where}, at {at}.': 'Schon abgelehnt ({where}), um {at}.',
  'The person made the policy stricter.': 'Die Regel wurde strenger gemacht.',
  'Only a person in the popover or in a paired page lets agents go on.':
    'Nur ein Mensch in der Menüleiste oder auf einer gekoppelten Seite lässt Agenten weitermachen.',
  'Only a person in the popover or in a paired page can widen the policy.':
    'Nur ein Mensch in der Menüleiste oder auf einer gekoppelten Seite kann die Regel lockern.',
  'Unattended is chosen only when Chaperone is started: chaperone host --policy unattended.':
    '„Unbeaufsichtigt“ wird nur beim Start von Chaperone gewählt: chaperone host --policy unattended.',
  'Chaperone is closing.': 'Chaperone wird gerade beendet.',
  'The policy ({preset*}) refuses {effect*} actions.':
    'Die Regel ({preset}) verweigert Handlungen dieser Art: {effect}.',
  standard: 'Standard',
  strict: 'Streng',
  readonly: 'Nur lesen',
  unattended: 'Unbeaufsichtigt',
  custom: 'Ihre eigene',
  read: 'Nachschlagen',
  bookkeeping: 'Notizen',
  disclose: 'Sehen',
  pointer: 'Bewegen',
  input: 'Klicken und Tippen',
  dangerous: 'Gefährlich',
  'The policy keeps agents out of {app}.': 'Die Regel hält Agenten von {app} fern.',
  'There are {n#} grants already; remove some first.':
    'Es gibt schon {n} Erlaubnisse; nehmen Sie zuerst einige zurück.',
  'There is no grant for a request like this.': 'Für eine solche Anfrage gibt es keine Erlaubnis auf Dauer.',
  'There is no “always” in {app}.': 'In {app} gibt es kein „Immer“.',
  'That grant has ended already.': 'Diese Erlaubnis ist schon zu Ende.',
  'This system has no such pane in its settings.': 'Dieses System hat keine solche Seite in seinen Einstellungen.',
  'That agent is not connected any more.': 'Dieser Agent ist nicht mehr verbunden.',
  '{name}: effects.dangerous: dangerous acts are never remembered; use ask or deny.':
    '{name}: effects.dangerous: Gefährliches wird nie gemerkt; nehmen Sie ask oder deny.',
  '{name}: effects.dangerous: only the preset unattended may allow these; use ask or deny.':
    '{name}: effects.dangerous: Nur „unattended“ darf das erlauben; nehmen Sie ask oder deny.',
  '{name}: unknown field {fields}.': '{name}: unbekanntes Feld {fields}.',
  'That command has ended already.': 'Dieser Befehl ist schon zu Ende.',
  'These processes could not be ended: {pids}.': 'Diese Prozesse ließen sich nicht beenden: {pids}.',
  'There is no such paired page.': 'Eine solche gekoppelte Seite gibt es nicht.',
  'That is for the menu bar, and Chaperone does not run there.':
    'Das geht nur in der Menüleiste, und dort läuft Chaperone nicht.',
  'The menu bar needs no pairing.': 'Die Menüleiste braucht keine Kopplung.',
  'Pair this page to do that here: open a link from the menu bar or from `chaperone pair`.':
    'Koppeln Sie diese Seite, um das hier zu tun: Öffnen Sie einen Link aus der Menüleiste oder von `chaperone pair`.',
  'The page asks for too much at once. Try again in a moment.':
    'Die Seite verlangt zu viel auf einmal. Versuchen Sie es gleich noch einmal.',
  'The page asks for everything again too often.': 'Die Seite verlangt zu oft alles von vorn.',
  'Too many attempts. Reload the page in a minute.': 'Zu viele Versuche. Laden Sie die Seite in einer Minute neu.',
  'This page is not paired any more, or never was. Pair it again with a new link.':
    'Diese Seite ist nicht mehr gekoppelt oder war es nie. Koppeln Sie sie mit einem neuen Link.',
  'Too many messages; some were not read.': 'Zu viele Nachrichten; einige wurden nicht gelesen.',
  'The host could not read a message from this page. Reload it.':
    'Der Host konnte eine Nachricht dieser Seite nicht lesen. Laden Sie sie neu.',
  'Something went wrong in the host; nothing was done. Look at its log.':
    'Im Host ging etwas schief; nichts wurde getan. Sehen Sie in sein Protokoll.',
  'This page was unpaired.': 'Diese Seite wurde entkoppelt.',
  'The record knows no such action.': 'Die Aufzeichnung kennt keine solche Handlung.',
  'Its line in the record was changed after it was written, so that nothing can be shown of it.':
    'Ihre Zeile in der Aufzeichnung wurde nach dem Schreiben geändert, darum lässt sich nichts davon zeigen.',
  'This host does not set up agents. Run the command in a terminal instead.':
    'Dieser Host richtet keine Agenten ein. Führen Sie stattdessen den Befehl in einem Terminal aus.',
  'Too many wrong links were tried. Wait a minute and use a new one.':
    'Es wurden zu viele falsche Links versucht. Warten Sie eine Minute und nehmen Sie einen neuen.',
  'This link was used already or is older than two minutes. Make a new one.':
    'Dieser Link wurde schon benutzt oder ist älter als zwei Minuten. Machen Sie einen neuen.',
  'The pairing could not be saved to disk. Free some space and try again.':
    'Die Kopplung ließ sich nicht speichern. Schaffen Sie Platz und versuchen Sie es noch einmal.',
  '{n#} pages are paired. Unpair one in Settings first.':
    '{n} Seiten sind gekoppelt. Entkoppeln Sie zuerst eine in den Einstellungen.',
  'An agent, or what an agent started, opened this browser, so it cannot be paired. Open the link in a browser that you started yourself.':
    'Ein Agent, oder was ein Agent gestartet hat, hat diesen Browser geöffnet; er kann darum nicht gekoppelt werden. Öffnen Sie den Link in einem Browser, den Sie selbst gestartet haben.',
  'Nobody confirmed this page in time. Get a new link and try again.':
    'Niemand hat diese Seite rechtzeitig bestätigt. Holen Sie einen neuen Link und versuchen Sie es noch einmal.',
  'This page was denied where it had to be confirmed. Get a new link and confirm it there.':
    'Diese Seite wurde dort abgelehnt, wo sie zu bestätigen war. Holen Sie einen neuen Link und bestätigen Sie sie dort.',
  'This page waits to be paired already.': 'Diese Seite wartet schon darauf, gekoppelt zu werden.',
  'The page sent a key that is not a P-256 public key.':
    'Die Seite schickte einen Schlüssel, der kein öffentlicher P-256-Schlüssel ist.',
  'Your reply could not be saved to disk. Free some space and send it again.':
    'Ihre Antwort ließ sich nicht speichern. Schaffen Sie Platz und senden Sie sie noch einmal.',
  'There is no such question.': 'Diese Frage gibt es nicht.',
  'This question was answered already, perhaps in another window.':
    'Diese Frage ist schon beantwortet, vielleicht in einem anderen Fenster.',
  'The agent no longer waits for an answer to this question.': 'Der Agent wartet nicht mehr auf eine Antwort.',
  'Write something or add an image first.': 'Schreiben Sie zuerst etwas oder fügen Sie ein Bild hinzu.',
  'A reply can have {most#} characters; this one has {n#}.': 'Eine Antwort darf {most} Zeichen haben; diese hat {n}.',
  'A reply can have {most#} images; this one has {n#}.': 'Eine Antwort darf {most} Bilder haben; diese hat {n}.',
  'The images are too large together; send smaller ones or fewer.':
    'Die Bilder sind zusammen zu groß; senden Sie kleinere oder weniger.',
  'An image could not be read.': 'Ein Bild ließ sich nicht lesen.',
  '{file} cannot be written: {why}.': '{file} lässt sich nicht schreiben: {why}.',
  '{file} cannot be read: {why}. Nothing was changed.': '{file} lässt sich nicht lesen: {why}. Nichts wurde geändert.',
  '{file} is a link that leads nowhere. Nothing was changed; mend or remove it, then try again.':
    '{file} ist ein Verweis ins Leere. Nichts wurde geändert; reparieren oder entfernen Sie ihn und versuchen Sie es wieder.',
  '{file} is being changed by another program. Nothing was changed; try again.':
    '{file} wird gerade von einem anderen Programm geändert. Nichts wurde geändert; versuchen Sie es noch einmal.',
  '{file} is not valid: {why}. Nothing was changed. Mend it, or do it by hand: {hand}':
    '{file} ist nicht gültig: {why}. Nichts wurde geändert. Reparieren Sie die Datei, oder tun Sie es von Hand: {hand}',
  '{file} was left as it is: {why}. Nothing was changed. Mend it, or do it by hand: {hand}':
    '{file} blieb, wie es ist: {why}. Nichts wurde geändert. Reparieren Sie die Datei, oder tun Sie es von Hand: {hand}',
  '`{command} mcp` failed: {why}. Do it by hand: {hand}':
    '`{command} mcp` ist gescheitert: {why}. Tun Sie es von Hand: {hand}',
  '`claude mcp add-json` ended without an error, and {file} has no such entry. Do it by hand: {hand}':
    '`claude mcp add-json` endete ohne Fehler, doch in {file} steht kein solcher Eintrag. Tun Sie es von Hand: {hand}',
  'The command `claude` is not on the search path, and only it should change its own settings. Where it is at hand, run: {hand}':
    'Der Befehl `claude` liegt nicht im Suchpfad, und nur er sollte seine Einstellungen ändern. Wo er zur Hand ist, führen Sie aus: {hand}',
  'Chaperone knows no client "{name}"; it knows {names}.': 'Chaperone kennt keinen Client „{name}“; es kennt {names}.',
  'This host cannot start the demo: it does not know what starts it itself.':
    'Dieser Host kann die Vorführung nicht starten: Er weiß nicht, was ihn selbst startet.',
};
