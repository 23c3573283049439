/** Warum etwas, das ein Agent wollte, endete oder nicht ging, auf Deutsch. */
import type { Phrases } from './phrasebook.js';

export const deEnded: Phrases = {
  'Chaperone stopped while this ran; what it did is not known.':
    'Chaperone hielt an, während das lief; was es tat, ist nicht bekannt.',
  'The person stopped everything.': 'Sie haben alles angehalten.',
  'The person stopped it.': 'Sie haben es abgebrochen.',
  'The person paused this agent.': 'Sie haben diesen Agenten pausiert.',
  'The person took over the desktop.': 'Sie haben den Desktop übernommen.',
  'The person took the permission back.': 'Sie haben die Erlaubnis zurückgenommen.',
  'The screen was locked.': 'Der Bildschirm wurde gesperrt.',
  'The agent is paused.': 'Der Agent ist pausiert.',
  'The agent has gone.': 'Der Agent ist nicht mehr verbunden.',
  'The host is ending.': 'Chaperone wird beendet.',
  'Aborted by the caller.': 'Vom Agenten abgebrochen.',
  'The caller gave the call up.': 'Der Agent hat den Aufruf aufgegeben.',
  'The call did not end within its {n#} ms.': 'Der Aufruf endete nicht in seinen {n} ms.',
  'It was let go.': 'Es wurde losgelassen.',
  'The person is pressing Allow, so what was held down was let go.':
    'Sie drücken „Erlauben“, darum wurde losgelassen, was gedrückt war.',
  'What was held down was let go after {n#} s.': 'Was gedrückt war, wurde nach {n} s losgelassen.',
  'Let go: {why*}': 'Losgelassen: {why}',
  'the person is using the desktop.': 'Sie benutzen den Desktop.',
  'the screen is locked; agents wait until the person unlocks it.':
    'Der Bildschirm ist gesperrt; Agenten warten, bis Sie ihn entsperren.',
  'the desktop is gone ({why}).': 'Der Desktop ist weg ({why}).',
  'Accessibility is not granted.': '„Bedienungshilfen“ ist nicht erlaubt.',
  'Screen Recording is not granted.': '„Bildschirmaufnahme“ ist nicht erlaubt.',
  'Accessibility and Screen Recording is not granted.':
    '„Bedienungshilfen“ und „Bildschirmaufnahme“ sind nicht erlaubt.',
  'Not done: {why*}': 'Nicht getan: {why}',
  'Agents are paused: {reason*}': 'Die Agenten sind pausiert: {reason}',
  'This agent is paused: {reason*}': 'Dieser Agent ist pausiert: {reason}',
  'Chaperone lacks {what*}.': 'Chaperone fehlt: {what}.',
  accessibility: 'Bedienungshilfen',
  screenRecording: 'Bildschirmaufnahme',
  'accessibility and screenRecording': 'Bedienungshilfen und Bildschirmaufnahme',
  'screenRecording and accessibility': 'Bildschirmaufnahme und Bedienungshilfen',
  'The person has not answered yet. The request stays open.':
    'Sie haben noch nicht geantwortet. Die Anfrage bleibt offen.',
  'Unexpected: {why*}': 'Unerwartet: {why}',
  'DESKTOP_HOST_NOT_READY: {why*}': 'Gerade nicht möglich: {why}',
  'DESKTOP_PERMISSION_MISSING: {why*}': 'Eine Berechtigung fehlt: {why}',
  'DESKTOP_WORKSPACE_FORBIDDEN: {why*}': 'Der Ordner ist nicht erlaubt: {why}',
  'DESKTOP_CONFIRM_REQUIRED: {why*}': 'Eine Bestätigung fehlt: {why}',
  'DESKTOP_ELEMENT_NOT_FOUND: {why*}': 'Nicht gefunden: {why}',
  'DESKTOP_TIMEOUT: {why*}': 'Es dauerte zu lange: {why}',
  'DESKTOP_ABORTED: {why*}': 'Abgebrochen: {why}',
  'DESKTOP_INTERNAL_ERROR: {why*}': 'Fehler: {why}',
  'DESKTOP_INVALID_REQUEST: {why*}': 'Falsch aufgerufen: {why}',
  'DESKTOP_UNSUPPORTED: {why*}': 'Geht hier nicht: {why}',
  'DESKTOP_TARGET_CHANGED: {why*}': 'Das Ziel hat sich geändert: {why}',
  'Nothing was done: the {what*} is not what was approved any more.':
    'Nichts wurde getan: {what} ist nicht mehr, was erlaubt wurde.',
  window: 'das Fenster',
  target: 'das Ziel',
  pixels: 'das Bild',
  text: 'der Text',
  ancestors: 'die Umgebung',
  command: 'der Befehl',
  'end of the drag': 'das Ende des Ziehens',
  'held input': 'was gedrückt ist',
  'Nothing was done: an earlier call holds a key or button down.':
    'Nichts wurde getan: Ein früherer Aufruf hält eine Taste gedrückt.',
  'Step {n#} of {of#} ({tool}) failed: {why*}': 'Schritt {n} von {of} ({tool}) ist gescheitert: {why}',
  'Step {n#} ({tool}): {why*} Nothing was done.': 'Schritt {n} ({tool}): {why} Nichts wurde getan.',
  '{why*} No step before it; it was the last.': '{why} Kein Schritt davor; es war der letzte.',
  '{why*} No step before it; {n#} after it was not tried.':
    '{why} Kein Schritt davor; {n} danach wurde nicht versucht.',
  '{why*} No step before it; {n#} after it were not tried.':
    '{why} Kein Schritt davor; {n} danach wurden nicht versucht.',
  '{why*} 1 step before it was done; it was the last.': '{why} 1 Schritt davor wurde getan; es war der letzte.',
  '{why*} 1 step before it was done; {n#} after it was not tried.':
    '{why} 1 Schritt davor wurde getan; {n} danach wurde nicht versucht.',
  '{why*} 1 step before it was done; {n#} after it were not tried.':
    '{why} 1 Schritt davor wurde getan; {n} danach wurden nicht versucht.',
  '{why*} {done#} steps before it were done; it was the last.':
    '{why} {done} Schritte davor wurden getan; es war der letzte.',
  '{why*} {done#} steps before it were done; {n#} after it was not tried.':
    '{why} {done} Schritte davor wurden getan; {n} danach wurde nicht versucht.',
  '{why*} {done#} steps before it were done; {n#} after it were not tried.':
    '{why} {done} Schritte davor wurden getan; {n} danach wurden nicht versucht.',
  'It changed nothing, and the plan was to stop then.': 'Er änderte nichts, und dann sollte der Plan aufhören.',
  '“{name}” can neither be pressed nor has it a place on screen.':
    '„{name}“ lässt sich nicht drücken und hat keinen Platz auf dem Bildschirm.',
  'Nothing was done: “{name}” is covered by “{window}”.': 'Nichts wurde getan: „{name}“ ist von „{window}“ verdeckt.',
  'Nothing was done: “{name}” is covered by a popup of {app}.':
    'Nichts wurde getan: „{name}“ ist von einem Popup von {app} verdeckt.',
  'Nothing was done: ({x#}, {y#}) is covered by “{window}”.':
    'Nichts wurde getan: ({x}, {y}) ist von „{window}“ verdeckt.',
  'Nothing was done: ({x#}, {y#}) is covered by a popup of {app}.':
    'Nichts wurde getan: ({x}, {y}) ist von einem Popup von {app} verdeckt.',
  'A click at the middle of “{name}” would hit nothing.': 'Ein Klick in die Mitte von „{name}“ träfe nichts.',
  'A click at the middle of “{name}” would hit “{other}”.': 'Ein Klick in die Mitte von „{name}“ träfe „{other}“.',
  '{app} shows no file dialog.': '{app} zeigt keinen Dateidialog.',
  '{app} shows {n#} file dialogs.': '{app} zeigt {n} Dateidialoge.',
  'There is no window at ({x#}, {y#}).': 'Bei ({x}, {y}) ist kein Fenster.',
  '{app} has no window to type into.': '{app} hat kein Fenster, in das getippt werden könnte.',
  '{app} has no window.': '{app} hat kein Fenster.',
  '{app} has no window that could be closed.': '{app} hat kein Fenster, das geschlossen werden könnte.',
  'A drag needs two points.': 'Zum Ziehen braucht es zwei Punkte.',
  '({x#}, {y#}) lies on no display.': '({x}, {y}) liegt auf keinem Bildschirm.',
  '{id} is no element this host gave out (references end with the host).':
    '{id} ist kein Element, das dieser Host genannt hat (Verweise enden mit dem Host).',
  'No running application is called {name}.': 'Kein laufendes Programm heißt {name}.',
  'No window has a title like {title}.': 'Kein Fenster hat einen Titel wie {title}.',
  'The application of that element has ended.': 'Das Programm dieses Elements hat sich beendet.',
  'No application is in front.': 'Kein Programm ist vorn.',
  'No window is in front.': 'Kein Fenster ist vorn.',
  '{n#} elements in {place} fit the selector; it must name one.':
    '{n} Elemente in {place} passen; es muss genau eines sein.',
  'Nothing to paste into: no window is in front.': 'Einfügen ist nicht möglich: Kein Fenster ist vorn.',
  'Input to Chaperone itself, or to a page that shows it, is refused.':
    'Eingaben an Chaperone selbst, oder an eine Seite, die es zeigt, werden verweigert.',
  'Input was stopped: what was approved is in no window, so it could reach another.':
    'Die Eingabe wurde angehalten: Was erlaubt wurde, liegt in keinem Fenster, sie könnte also ein anderes treffen.',
  'Input was stopped: “{window}” is in the way of “{approved}”.':
    'Die Eingabe wurde angehalten: „{window}“ liegt vor „{approved}“.',
  'Input was stopped: the pointer is not where it was put.':
    'Die Eingabe wurde angehalten: Der Zeiger ist nicht dort, wohin er bewegt wurde.',
  'The element belongs to another process than the approved one.':
    'Das Element gehört einem anderen Prozess als dem erlaubten.',
  'A pairing link is open, so nothing on screen is shown to agents until it is used or has run out.':
    'Ein Kopplungslink ist offen; bis er benutzt oder abgelaufen ist, sehen Agenten nichts vom Bildschirm.',
  'That window is not open to agents: it belongs to Chaperone or to an application the person excluded.':
    'Dieses Fenster ist Agenten verschlossen: Es gehört Chaperone oder einer App, die Sie ausgeschlossen haben.',
  '{n#} calls of this agent are waiting already.': '{n} Aufrufe dieses Agenten warten schon.',
  'Nothing fitted the selector within {n#} ms.': 'In {n} ms passte nichts auf die Suche.',
  'This call began to act at {at}, and then the host ended; whether it took effect is not known. It was not run again.':
    'Dieser Aufruf begann um {at} zu handeln, dann endete der Host; ob er wirkte, ist nicht bekannt. Er wurde nicht wiederholt.',
  'There is no /{path}.': '/{path} gibt es nicht.',
  'What is on the clipboard was copied where agents may not look: in an excluded application, in Chaperone itself, or while a pairing link was open.':
    'Der Inhalt der Zwischenablage wurde dort kopiert, wo Agenten nicht hinsehen dürfen: in einer ausgeschlossenen App, in Chaperone selbst oder während ein Kopplungslink offen war.',
  'What is on the clipboard is marked as secret, so it is not given.':
    'Der Inhalt der Zwischenablage ist als geheim gekennzeichnet und wird nicht herausgegeben.',
  '“{name}” has no place on the screen.': '„{name}“ hat keinen Platz auf dem Bildschirm.',
  'The element is in no picture of its application’s windows.':
    'Das Element ist auf keinem Bild der Fenster seines Programms.',
  '“{title}” is still open: “{dialog}” asks something first.':
    '„{title}“ ist noch offen: „{dialog}“ fragt zuerst etwas.',
  '{name} names no running application.': '{name} bezeichnet kein laufendes Programm.',
  '“{title}” is minimised, so there is no picture of it.': '„{title}“ ist minimiert, darum gibt es kein Bild davon.',
  '“{title}” is not on screen, so there is no picture of it.':
    '„{title}“ ist nicht auf dem Bildschirm, darum gibt es kein Bild davon.',
  '“{name}” is not on screen now.': '„{name}“ ist jetzt nicht auf dem Bildschirm.',
  '“{name}” is disabled now.': '„{name}“ ist jetzt nicht bedienbar.',
  '{path} is there already.': '{path} ist schon da.',
  'The dialog has closed, but {path} was not written.':
    'Der Dialog hat sich geschlossen, doch {path} wurde nicht geschrieben.',
  'Another dialog is open now than the one that was approved.': 'Jetzt ist ein anderer Dialog offen als der erlaubte.',
  'The application asked something before using {path}; it was told no.':
    'Das Programm fragte etwas, bevor es {path} benutzte; die Antwort war nein.',
  '“{name}” did not take the files; nothing was dropped.': '„{name}“ nahm die Dateien nicht; nichts wurde abgelegt.',
  'Something else is where “{name}” should be.': 'Wo „{name}“ sein sollte, ist etwas anderes.',
  '“{name}” has no place on screen to drop anything.': '„{name}“ hat auf dem Bildschirm keinen Platz zum Ablegen.',
  '{path} is no file.': '{path} ist keine Datei.',
  '{path} is a link to nothing.': '{path} ist ein Verweis ins Leere.',
  '{path} is there and is no file.': '{path} ist da und ist keine Datei.',
  'There is no folder {path}.': 'Den Ordner {path} gibt es nicht.',
  'There is no display {name}.': 'Den Bildschirm {name} gibt es nicht.',
  'That area lies outside every display.': 'Dieser Bereich liegt auf keinem Bildschirm.',
  'That area lies outside display {name}.': 'Dieser Bereich liegt nicht auf dem Bildschirm {name}.',
  'A {gesture} gesture cannot be made on this platform; nothing was done.':
    'Die Geste {gesture} geht auf diesem System nicht; nichts wurde getan.',
  'You hold no {button} button down; it may have been let go.':
    'Die Taste {button} ist nicht gedrückt; vielleicht wurde sie losgelassen.',
  'That button is held down already.': 'Diese Taste ist schon gedrückt.',
  'No application is called “{name}”.': 'Kein Programm heißt „{name}“.',
  'That picture has {n#} MB, which is too much.': 'Dieses Bild hat {n} MB, das ist zu viel.',
  '“{title}” is gone: it was closed meanwhile.': '„{title}“ ist weg: Es wurde inzwischen geschlossen.',
  'The pointer did not stay: it is at ({x#}, {y#}) now.': 'Der Zeiger blieb nicht: Er ist jetzt bei ({x}, {y}).',
  'There is no window of {app} at that point, but none.':
    'An dieser Stelle ist kein Fenster von {app}, und auch kein anderes.',
  'There is no window of {app} at that point, but “{title}”.':
    'An dieser Stelle ist kein Fenster von {app}, sondern „{title}“.',
  'There is no {language} here: it exists on macOS only. Nothing was run.':
    '{language} gibt es hier nicht, nur auf macOS. Nichts wurde ausgeführt.',
  '“{text}” is covered by a window of {app} ({name}).': '„{text}“ ist von einem Fenster von {app} verdeckt ({name}).',
  'Nothing was done: a popup of {app} cannot get the focus.':
    'Nichts wurde getan: Ein Popup von {app} kann den Fokus nicht bekommen.',
  '{app} started {n#} s ago and has no window yet: it may still be starting.':
    '{app} wurde vor {n} s gestartet und hat noch kein Fenster: Es startet vielleicht noch.',
  '{app} started {n#} s ago and shows no accessible elements yet: it may still be starting.':
    '{app} wurde vor {n} s gestartet und zeigt noch keine Bedienelemente: Es startet vielleicht noch.',
  '“{text}” is not to be read there.': '„{text}“ ist dort nicht zu lesen.',
  '“{text}” is there {n#} times.': '„{text}“ steht dort {n}-mal.',
  'Nothing that fits appeared within {n#} s.': 'In {n} s erschien nichts Passendes.',
  'It did not become {condition} within {n#} s.': 'Es wurde nicht {condition}, in {n} s.',
  'File dialogs are not filled in by this tool on macOS.': 'Dateidialoge füllt dieses Werkzeug auf macOS nicht aus.',
  'The application does not answer. Wait for it, or look at the screen.':
    'Das Programm antwortet nicht. Warten Sie darauf, oder sehen Sie auf den Bildschirm.',
  'The element or its application is gone. Look it up again.':
    'Das Element oder sein Programm ist weg. Suchen Sie es noch einmal.',
  'The element is gone. Look it up again.': 'Das Element ist weg. Suchen Sie es noch einmal.',
  'The element is disabled, so it was not acted on. Look at what enables it.':
    'Das Element ist nicht bedienbar, darum geschah nichts. Sehen Sie nach, was es bedienbar macht.',
  'The element is disabled, so nothing was written. Look at what enables it.':
    'Das Element ist nicht bedienbar, darum wurde nichts geschrieben. Sehen Sie nach, was es bedienbar macht.',
  'The element cannot be edited. Look for the field that can.':
    'Das Element lässt sich nicht bearbeiten. Suchen Sie das Feld, bei dem das geht.',
  'That window is gone. List the windows again.': 'Dieses Fenster ist weg. Listen Sie die Fenster noch einmal auf.',
  'The application refused: {why}.': 'Das Programm hat es verweigert: {why}.',
  '{program} could not be started: {why}.': '{program} ließ sich nicht starten: {why}.',
  'The application ended at once ({how}) without showing a window.':
    'Das Programm beendete sich sofort ({how}), ohne ein Fenster zu zeigen.',
  'The application was started but showed no window within {n#} s.':
    'Das Programm wurde gestartet, zeigte aber in {n} s kein Fenster.',
  'Commands are not run any more: Chaperone is ending.':
    'Befehle werden nicht mehr ausgeführt: Chaperone wird beendet.',
  'The script was not checked within 10 s.': 'Das Skript wurde nicht in 10 s geprüft.',
  'The evidence of this call is incomplete.': 'Die Belege dieses Aufrufs sind unvollständig.',
  'agents are paused; only the person resumes them.': 'Die Agenten sind pausiert; nur Sie lassen sie weitermachen.',
};
