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

/** Was der Host über diesen Rechner und die Aufzeichnung feststellt, auf Deutsch. */
