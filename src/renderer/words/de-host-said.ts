/** Warum etwas pausiert ist oder nicht ging, was ein Mensch wollte, auf Deutsch. */
import type { Phrases } from './phrasebook.js';

export const deSaid: Phrases = {
  'This system has no such pane in its settings.': 'Dieses System hat keine solche Seite in seinen Einstellungen.',
  'That agent is not connected any more.': 'Dieser Agent ist nicht mehr verbunden.',
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
