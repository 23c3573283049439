/** Hinweise auf Karten, auf Deutsch. */
import type { Phrases } from './phrasebook.js';

export const deNotes: Phrases = {
  'A paired page can allow everything that agents ask for. Allow this only if you have just opened a pairing link yourself.':
    'Eine gekoppelte Seite kann alles erlauben, was Agenten wollen. Erlauben Sie das nur, wenn Sie gerade selbst einen Kopplungslink geöffnet haben.',
  'The link was asked for by {program}, process {pid#}, in {folder}.':
    'Den Link hat {program} verlangt, Prozess {pid}, in {folder}.',
  'The system does not tell which program opened it.': 'Das System sagt nicht, welches Programm ihn geöffnet hat.',
  'It was opened by {program}, process {pid#}.': 'Geöffnet hat ihn {program}, Prozess {pid}.',
  'This cannot be undone, or it reaches other people.':
    'Das lässt sich nicht rückgängig machen, oder es erreicht andere Menschen.',
  'No name can be read here: look at the picture.': 'Hier ist kein Name zu lesen: Sehen Sie das Bild an.',
  'Drags from “{window}” to the bare desktop.': 'Zieht aus „{window}“ auf den leeren Schreibtisch.',
  'Drags from “{window}” to “{end}”.': 'Zieht aus „{window}“ nach „{end}“.',
  'Ends over the bare desktop.': 'Endet über dem leeren Schreibtisch.',
  'Ends over “{window}”.': 'Endet über „{window}“.',
  'Out of view: this scrolls to it first.': 'Nicht im sichtbaren Bereich: Es wird erst dorthin gescrollt.',
  'Covered by “{window}”.': 'Verdeckt von „{window}“.',
  'Covered by a popup of {app}.': 'Verdeckt von einem Popup von {app}.',
  'Still held down meanwhile: {what}.': 'Währenddessen bleibt gedrückt: {what}.',
  'Goes to whatever has the focus in this window then.': 'Geht an das, was dann in diesem Fenster den Fokus hat.',
  'Goes to whatever shows at this point of the window then.':
    'Geht an das, was dann an dieser Stelle des Fensters zu sehen ist.',
  'Goes through the clipboard, which is given back afterwards.':
    'Geht über die Zwischenablage, die danach ihren Inhalt zurückbekommt.',
  'Replaces what is there.': 'Ersetzt, was dort steht.',
  'Empties it.': 'Leert es.',
  'It is so already.': 'Es ist schon so.',
  'What is on the clipboard now is lost.': 'Was jetzt in der Zwischenablage liegt, geht verloren.',
  'Reads the names of its controls too.': 'Liest auch die Namen seiner Bedienelemente.',
  'Reads the names of the controls in it too.': 'Liest auch die Namen der Bedienelemente darin.',
  'The button stays down, 30 s at most. Moving in that window and letting go are allowed with it.':
    'Die Taste bleibt gedrückt, höchstens 30 s. Bewegen in diesem Fenster und Loslassen sind mit erlaubt.',
  'Other agents wait meanwhile.': 'Andere Agenten warten so lange.',
  'Recorded by {agent} ({program}), {day}.': 'Aufgezeichnet von {agent} ({program}), {day}.',
  'Stops at the first step that fails.': 'Hört beim ersten Schritt auf, der scheitert.',
  'Stops at the first step that fails or changes nothing.':
    'Hört beim ersten Schritt auf, der scheitert oder nichts ändert.',
  'It goes on between calls, until it is cancelled or 30 minutes after its events were last asked for.':
    'Es läuft zwischen den Aufrufen weiter, bis es beendet wird oder seine Ereignisse 30 Minuten lang nicht abgefragt wurden.',
  'No installed application says what this program is.': 'Keine installierte App sagt, was dieses Programm ist.',
  'Stays behind what is in front.': 'Bleibt hinter dem, was vorn ist.',
  'It runs as you, outside any sandbox.': 'Es läuft unter Ihrem Namen, ohne Schutzumgebung.',
  'It is ended after {n#} s.': 'Es wird nach {n} s beendet.',
  'What it leaves behind goes on running; you can end it on Home.':
    'Was davon zurückbleibt, läuft weiter; Sie können es auf der Startseite beenden.',
  'It can reach your desktop: the display and the session bus.':
    'Hat Zugang zu Ihrem Desktop: zum Bildschirm und zum Sitzungsbus.',
  'The text was read from the picture: look at what is outlined.':
    'Der Text wurde aus dem Bild gelesen: Sehen Sie an, was umrandet ist.',
  'To ({x#}, {y#}).': 'Nach ({x}, {y}).',
  'To {width#}×{height#}.': 'Auf {width}×{height}.',
  'Ends the whole application at once. Unsaved work in all of its windows is lost.':
    'Beendet das ganze Programm sofort. Ungesicherte Arbeit in allen seinen Fenstern geht verloren.',
  'The text ({n#} characters) goes into a password field and is not kept.':
    'Der Text ({n} Zeichen) geht in ein Passwortfeld und wird nicht aufbewahrt.',
};

/** Wie lange ein „Erlauben“ gilt, auf Deutsch. */
export const deGrants: Phrases = {
  'Only this time': 'Nur dieses Mal',
  'Allow acts once.': '„Erlauben“ gilt einmal.',
  'From now until {who} quits': 'Ab jetzt, bis {who} beendet wird',
  'Allow covers requests of this kind until {who} quits.':
    '„Erlauben“ gilt für Anfragen dieser Art, bis {who} beendet wird.',
  'Allow covers everything on your screen until {who} quits.':
    '„Erlauben“ gilt für alles auf Ihrem Bildschirm, bis {who} beendet wird.',
  'Allow covers this part of the screen until {who} quits.':
    '„Erlauben“ gilt für diesen Teil des Bildschirms, bis {who} beendet wird.',
  'Allow covers the names of applications and the titles of windows until {who} quits.':
    '„Erlauben“ gilt für die Namen von Programmen und die Titel von Fenstern, bis {who} beendet wird.',
  'Allow covers everything {app} shows until {who} quits.':
    '„Erlauben“ gilt für alles, was {app} zeigt, bis {who} beendet wird.',
  'Allow covers this until {who} quits.': '„Erlauben“ gilt für dies, bis {who} beendet wird.',
  '{what*}, 10 minutes': '{what}, 10 Minuten',
  '{what*}, until {who} quits': '{what}, bis {who} beendet wird',
  '{what*}, always': '{what}, immer',
  'This app, what it shows': 'Diese App, was sie zeigt',
  'This app, pointer and windows': 'Diese App, Zeiger und Fenster',
  'This app, clicks and typing': 'Diese App, Klicken und Tippen',
  'This site, what it shows': 'Diese Seite, was sie zeigt',
  'This site, pointer and windows': 'Diese Seite, Zeiger und Fenster',
  'This site, clicks and typing': 'Diese Seite, Klicken und Tippen',
  '{agent} in {where}: what it shows': '{agent} in {where}: was zu sehen ist',
  '{agent} in {where}: pointer and windows': '{agent} in {where}: Zeiger und Fenster',
  '{agent} in {where}: clicks and typing': '{agent} in {where}: Klicken und Tippen',
  'Allow gives 10 minutes in {app}.': '„Erlauben“ gilt 10 Minuten in {app}.',
  'Allow gives 10 minutes on {site}.': '„Erlauben“ gilt 10 Minuten auf {site}.',
  'Allow lasts in {app} until {who} quits, 12 hours at most.':
    '„Erlauben“ gilt in {app}, bis {who} beendet wird, höchstens 12 Stunden.',
  'Allow lasts on {site} until {who} quits, 12 hours at most.':
    '„Erlauben“ gilt auf {site}, bis {who} beendet wird, höchstens 12 Stunden.',
  'Allow lasts in {app} for every {who} ({program}) until you remove it in Settings.':
    '„Erlauben“ gilt in {app} für jedes {who} ({program}), bis Sie es in den Einstellungen zurücknehmen.',
  'Allow lasts on {site} for every {who} ({program}) until you remove it in Settings.':
    '„Erlauben“ gilt auf {site} für jedes {who} ({program}), bis Sie es in den Einstellungen zurücknehmen.',
};

/** Was der Host über diesen Rechner und die Aufzeichnung feststellt, auf Deutsch. */
export const deHealth: Phrases = {
  'Accessibility is missing': 'Die Berechtigung „Bedienungshilfen“ fehlt',
  'Accessibility is stale': 'Die Berechtigung „Bedienungshilfen“ ist veraltet',
  'Accessibility is unknown': 'Ob „Bedienungshilfen“ erlaubt ist, ist nicht bekannt',
  'Screen Recording is missing': 'Die Berechtigung „Bildschirmaufnahme“ fehlt',
  'Screen Recording is stale': 'Die Berechtigung „Bildschirmaufnahme“ ist veraltet',
  'Screen Recording is unknown': 'Ob „Bildschirmaufnahme“ erlaubt ist, ist nicht bekannt',
  'System Settings → Privacy & Security → {pane*}: switch Chaperone on; if it is on already, remove it and add it again.':
    'Systemeinstellungen → Datenschutz & Sicherheit → {pane}: Schalten Sie Chaperone ein; ist es schon ein, entfernen Sie es und fügen Sie es wieder hinzu.',
  Accessibility: 'Bedienungshilfen',
  'Screen Recording': 'Bildschirmaufnahme',
  'Check that the display and the accessibility bus (at-spi2-core) are running, then start Chaperone again.':
    'Prüfen Sie, ob der Bildschirm und der Barrierefreiheitsdienst (at-spi2-core) laufen, und starten Sie Chaperone dann neu.',
  'End Chaperone and start it again.': 'Beenden Sie Chaperone und starten Sie es neu.',
  'Run `chaperone doctor` for details.': 'Einzelheiten zeigt `chaperone doctor`.',
  'Other programs’ synthetic input may press Allow': 'Künstliche Eingaben anderer Programme dürfen „Erlauben“ drücken',
  'That is for VNC and on-screen keyboards. Start Chaperone without --accept-synthetic-input to refuse it.':
    'Das ist für VNC und Bildschirmtastaturen. Starten Sie Chaperone ohne --accept-synthetic-input, um es zu verweigern.',
  'The hotkey {keys} does not stop agents: it could not be registered':
    'Das Tastenkürzel {keys} hält keine Agenten an: Es ließ sich nicht einrichten',
  'Another program may hold it. Free it there and start Chaperone again; until then use Stop in the menu bar.':
    'Vielleicht belegt es ein anderes Programm. Geben Sie es dort frei und starten Sie Chaperone neu; bis dahin hilft „Stopp“ in der Menüleiste.',
  'X11 at {display}': 'X11 an {display}',
  'none at hand: a private virtual desktop stands in for it':
    'keiner da: Ein eigener virtueller Desktop tritt an seine Stelle',
  'Wayland only, which cannot be controlled yet: a private virtual desktop stands in for it':
    'nur Wayland, das sich noch nicht steuern lässt: Ein eigener virtueller Desktop tritt an seine Stelle',
  'all programs present': 'alle Programme da',
  'missing: {programs}': 'es fehlt: {programs}',
  'Install what is missing:': 'Installieren Sie, was fehlt:',
  'Make {folder} writable for you, or set CHAPERONE_HOME to a folder that is.':
    'Machen Sie {folder} für sich beschreibbar, oder setzen Sie CHAPERONE_HOME auf einen Ordner, der es ist.',
  'No display is at hand (DISPLAY is not set). A private virtual desktop stands in for it.':
    'Es ist kein Bildschirm da (DISPLAY ist nicht gesetzt). Ein eigener virtueller Desktop tritt an seine Stelle.',
  'The display {display} cannot be used: {why*} A private virtual desktop stands in for it.':
    'Der Bildschirm {display} ist nicht benutzbar: {why} Ein eigener virtueller Desktop tritt an seine Stelle.',
  '{why*} Until then this is a simulated desktop: nothing on it is real.':
    '{why} Bis dahin ist das ein nachgestellter Desktop: Nichts darauf ist echt.',
  'There is no backend for {platform} yet, so this is a simulated desktop.':
    'Für {platform} gibt es noch keine Anbindung, darum ist das ein nachgestellter Desktop.',
  'The desktop backend has been closed. Open it again.':
    'Die Anbindung an den Desktop wurde geschlossen. Öffnen Sie sie wieder.',
  'The X display {display} is gone ({why}). Start a display and the host again.':
    'Der X-Bildschirm {display} ist weg ({why}). Starten Sie einen Bildschirm und den Host neu.',
  'Cannot open the X display {display}: {why}. Check DISPLAY and XAUTHORITY, or use --display virtual.':
    'Der X-Bildschirm {display} lässt sich nicht öffnen: {why}. Prüfen Sie DISPLAY und XAUTHORITY, oder nehmen Sie --display virtual.',
  'The X server of {display} has no XTEST extension. {next*}':
    'Der X-Server von {display} hat keine XTEST-Erweiterung. {next}',
  'This is a Wayland session. Log in to an X11 session, or use --display virtual.':
    'Das ist eine Wayland-Sitzung. Melden Sie sich in einer X11-Sitzung an, oder nehmen Sie --display virtual.',
  'The simulated desktop is gone: {why} Start Chaperone again.':
    'Der nachgestellte Desktop ist weg: {why} Starten Sie Chaperone neu.',
  'The simulated desktop was closed.': 'Der nachgestellte Desktop wurde geschlossen.',
  'the saved head cannot be read': 'der gesicherte Kopf ist nicht lesbar',
  'the saved head is missing: lines may have been cut off':
    'der gesicherte Kopf fehlt: Zeilen könnten abgeschnitten sein',
  'the saved head was not made with the key': 'der gesicherte Kopf wurde nicht mit dem Schlüssel gemacht',
  'the last line is unfinished ({bytes#} bytes): Chaperone was stopped while writing, or it was cut':
    'die letzte Zeile ist unfertig ({bytes} Bytes): Chaperone wurde beim Schreiben angehalten, oder sie wurde abgeschnitten',
  '{missing#} of {lines#} lines are missing': '{missing} von {lines} Zeilen fehlen',
  'line {line#} is not the one the saved head names': 'Zeile {line} ist nicht die, die der gesicherte Kopf nennt',
  '{lines#} lines follow the saved head: Chaperone was stopped while writing, or they were added':
    '{lines} Zeilen folgen auf den gesicherten Kopf: Chaperone wurde beim Schreiben angehalten, oder sie wurden hinzugefügt',
  '{lines#} lines were missing, found at line {line#} ({at})':
    '{lines} Zeilen fehlten, bemerkt bei Zeile {line} ({at})',
  'the saved head was missing or not ours, found at line {line#} ({at})':
    'der gesicherte Kopf fehlte oder war nicht unserer, bemerkt bei Zeile {line} ({at})',
  '{lines#} lines were added without the key, found at line {line#} ({at})':
    '{lines} Zeilen wurden ohne den Schlüssel hinzugefügt, bemerkt bei Zeile {line} ({at})',
  '{breaks#} breaks in the lines before, found at line {line#} ({at})':
    '{breaks} Brüche in den Zeilen davor, bemerkt bei Zeile {line} ({at})',
  'line {line#}: an unfinished line of {bytes#} bytes was cut off after a stop ({at})':
    'Zeile {line}: eine unfertige Zeile von {bytes} Bytes wurde nach einem Halt abgeschnitten ({at})',
  'line {line#}: {lines#} lines had been written and not yet counted when Chaperone stopped ({at})':
    'Zeile {line}: {lines} Zeilen waren geschrieben und noch nicht gezählt, als Chaperone anhielt ({at})',
  'line {line#}: no key vouches for the lines before this one ({at})':
    'Zeile {line}: für die Zeilen davor bürgt kein Schlüssel ({at})',
  'line {line#} is of no known kind': 'Zeile {line} ist von keiner bekannten Art',
  'line {line#} is not a line of the audit log': 'Zeile {line} ist keine Zeile der Aufzeichnung',
  'line {line#} was edited: its bytes do not match its hash':
    'Zeile {line} wurde geändert: Ihre Bytes passen nicht zu ihrer Prüfsumme',
  'line {line#} has number {number#} where {due#} was due: lines were removed, added or moved':
    'Zeile {line} hat die Nummer {number} statt {due}: Zeilen wurden entfernt, hinzugefügt oder verschoben',
  'line {line#} does not follow the line before it: one of them was exchanged':
    'Zeile {line} folgt nicht auf die davor: Eine von beiden wurde ausgetauscht',
  'in memory': 'im Speicher',
  'before it was deleted on schedule: {what*}': 'bevor es planmäßig gelöscht wurde: {what}',
  '{path} is no longer a plain file': '{path} ist keine gewöhnliche Datei mehr',
  '{path} was edited': '{path} wurde geändert',
  '{path} is missing': '{path} fehlt',
  '{path} was replaced by a link': '{path} wurde durch einen Verweis ersetzt',
  '{path} cannot be read ({why})': '{path} ist nicht lesbar ({why})',
  '{path} was not written by Chaperone': '{path} wurde nicht von Chaperone geschrieben',
  '{path} is in no line of the audit log': '{path} steht in keiner Zeile der Aufzeichnung',
  'No display is at hand (DISPLAY is not set). {why*}': 'Es ist kein Bildschirm da (DISPLAY ist nicht gesetzt). {why}',
  'The display {display} cannot be used: {why*}': 'Der Bildschirm {display} ist nicht benutzbar: {why}',
  'A virtual desktop needs packages that are not installed: {programs}. On Debian or Ubuntu run: {command} Until then this is a simulated desktop: nothing on it is real.':
    'Für einen virtuellen Desktop fehlen Pakete: {programs}. Unter Debian oder Ubuntu führen Sie aus: {command} Bis dahin ist das ein nachgestellter Desktop: Nichts darauf ist echt.',
  'This is a Wayland session, which gives no program control of others. {next*}':
    'Das ist eine Wayland-Sitzung, in der kein Programm andere steuern kann. {next}',
  'There is no display (DISPLAY is not set). {next*}': 'Es ist kein Bildschirm da (DISPLAY ist nicht gesetzt). {next}',
  'Log in to an X11 session, or start the host with --display virtual.':
    'Melden Sie sich in einer X11-Sitzung an, oder starten Sie den Host mit --display virtual.',
};
