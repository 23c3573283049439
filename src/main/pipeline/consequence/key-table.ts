/**
 * What chords of common applications do besides editing, moving and showing. Chords are those of the applications' own
 * defaults on Linux, Windows and macOS; a chord that is in no row edits, moves or shows something.
 */
import type { KeysDo } from '../../approvals/plan.js';
import { plainLetters } from './fold.js';

export type KeyConsequence = Exclude<KeysDo, 'save'>;

export type AppKind =
  'browser' | 'mail' | 'chat' | 'office' | 'editor' | 'emacs' | 'ide' | 'terminal' | 'files' | 'images';

/** Words of the id, the name or the program of an application; `hosts`: of the address of a page. */
export const APP_KINDS: readonly { kind: AppKind; words: string; hosts?: string }[] = [
  { kind: 'browser', words: 'firefox librewolf chrome chromium brave edge msedge opera vivaldi epiphany falkon konqueror safari arc' }, // prettier-ignore
  { kind: 'mail', words: 'thunderbird evolution geary kmail claws sylpheed mailspring outlook mail betterbird', hosts: 'mail.google.com outlook.live.com outlook.office.com outlook.office365.com mail.yahoo.com mail.proton.me app.fastmail.com' }, // prettier-ignore
  { kind: 'chat', words: 'slack discord teams signal telegram element whatsapp zulip mattermost pidgin hexchat polari fractal messages', hosts: 'app.slack.com discord.com teams.microsoft.com web.whatsapp.com web.telegram.org chat.google.com messages.google.com app.element.io' }, // prettier-ignore
  { kind: 'office', words: 'libreoffice soffice onlyoffice abiword gnumeric calligra winword excel powerpoint word pages numbers keynote' }, // prettier-ignore
  { kind: 'editor', words: 'mousepad gedit xed pluma kate kwrite featherpad leafpad l3afpad geany textedit gnome-text-editor sublime notepadqq bbedit textmate' }, // prettier-ignore
  { kind: 'emacs', words: 'emacs xemacs' },
  { kind: 'ide', words: 'code codium vscodium vscode cursor windsurf zed idea pycharm webstorm clion goland rider eclipse netbeans qtcreator kdevelop android-studio xcode' }, // prettier-ignore
  { kind: 'terminal', words: 'terminal xterm uxterm urxvt rxvt konsole kgx ptyxis kitty alacritty wezterm foot terminator tilix st iterm2 ghostty guake yakuake' }, // prettier-ignore
  { kind: 'files', words: 'nautilus thunar dolphin nemo caja pcmanfm finder ranger krusader doublecmd' },
  { kind: 'images', words: 'gimp krita inkscape darktable shotwell gthumb eog loupe gwenview photoshop preview pinta digikam' }, // prettier-ignore
];

const words = (text: string): ReadonlySet<string> => new Set(plainLetters(text).match(/[\p{L}\p{N}]+/gu) ?? []);

export function namesOneOf(text: string, list: string): boolean {
  const found = words(text);
  return list.split(' ').some((name) => [...words(name)].every((word) => found.has(word)));
}

/** Whether a text of names tells of an application of this kind. */
export const isOfKind = (kind: AppKind, text: string): boolean =>
  APP_KINDS.some((row) => row.kind === kind && namesOneOf(text, row.words));

export interface KeyRow {
  /** Left out: in every application, also one that no row names. */
  in?: AppKind;
  chords: string;
  does: KeyConsequence;
  /** Only where no text is edited: there the same keys edit it. */
  outsideText?: true;
}

export const KEY_ROWS: readonly KeyRow[] = [
  { chords: 'ctrl+q ctrl+shift+q ctrl+w ctrl+shift+w ctrl+f4 shift+alt+f4 alt+f4 cmd+q cmd+shift+q cmd+w cmd+shift+w alt+cmd+q alt+cmd+w ctrl+alt+q ctrl+alt+w', does: 'close' }, // prettier-ignore
  { chords: 'ctrl+p cmd+p ctrl+alt+p', does: 'print' },
  { chords: 'ctrl+enter ctrl+shift+enter cmd+enter shift+cmd+enter ctrl+kpenter cmd+kpenter', does: 'send' },
  { chords: 'ctrl+shift+delete shift+cmd+delete shift+cmd+backspace ctrl+shift+backspace alt+shift+cmd+backspace', does: 'delete' }, // prettier-ignore
  { chords: 'delete shift+delete ctrl+delete alt+delete cmd+delete cmd+backspace alt+cmd+backspace kpdecimal', does: 'delete', outsideText: true }, // prettier-ignore
  // What a terminal takes for Enter, wherever one is.
  { chords: 'ctrl+j ctrl+m', does: 'run' },
  { in: 'browser', chords: 'ctrl+shift+p', does: 'print' },
  { in: 'mail', chords: 'alt+s shift+cmd+d ctrl+shift+s', does: 'send' },
  { in: 'mail', chords: 'backspace ctrl+d ctrl+backspace shift+ctrl+j', does: 'delete', outsideText: true },
  { in: 'mail', chords: 'escape ctrl+escape', does: 'close' },
  { in: 'chat', chords: 'alt+s alt+enter', does: 'send' },
  { in: 'chat', chords: 'backspace ctrl+backspace', does: 'delete', outsideText: true },
  { in: 'office', chords: 'ctrl+- ctrl+alt+-', does: 'delete', outsideText: true },
  { in: 'emacs', chords: 'ctrl+c ctrl+x', does: 'close' },
  { in: 'ide', chords: 'f5 ctrl+f5 shift+f5 f9 shift+f9 shift+f10 ctrl+shift+f10 alt+shift+f10 ctrl+r cmd+r ctrl+f11 ctrl+f9 ctrl+shift+b cmd+b', does: 'run' }, // prettier-ignore
  { in: 'ide', chords: 'ctrl+shift+k shift+cmd+k ctrl+k cmd+k', does: 'send' },
  { in: 'terminal', chords: 'ctrl+c ctrl+d ctrl+z ctrl+\\', does: 'close' },
  { in: 'terminal', chords: 'ctrl+o ctrl+shift+v shift+insert ctrl+shift+insert cmd+v', does: 'run' },
  { in: 'files', chords: 'backspace ctrl+d ctrl+backspace cmd+d', does: 'delete', outsideText: true },
  { in: 'files', chords: 'ctrl+o cmd+o cmd+down alt+down ctrl+down', does: 'run', outsideText: true },
  { in: 'files', chords: 'ctrl+v shift+insert cmd+v alt+cmd+v', does: 'overwrite', outsideText: true },
  { in: 'images', chords: 'ctrl+e cmd+e', does: 'overwrite' },
];

/** Chords of a general row that mean something harmless in these: only where the kernel names the program. */
export const HARMLESS_IN: readonly { in: AppKind; chords: string }[] = [
  { in: 'terminal', chords: 'ctrl+w ctrl+q ctrl+p delete ctrl+delete' },
  { in: 'emacs', chords: 'ctrl+w ctrl+q ctrl+p ctrl+m ctrl+j' },
  { in: 'ide', chords: 'ctrl+p cmd+p ctrl+j cmd+j ctrl+m' },
];

/** In these a letter alone is a command where no text is edited: it archives, deletes, or marks. */
export const LETTERS_ACT: ReadonlySet<AppKind> = new Set(['mail', 'chat']);

const SAVE_CHORDS = 'ctrl+s ctrl+shift+s ctrl+alt+s cmd+s shift+cmd+s alt+cmd+s f12 shift+f12';
const SELECTING_CHORDS = 'ctrl+a cmd+a ctrl+/ ctrl+shift+home ctrl+shift+end shift+cmd+up shift+cmd+down';
const REPLACING_CHORDS = 'delete backspace shift+delete ctrl+delete ctrl+backspace ctrl+x ctrl+v cmd+x cmd+v cmd+backspace alt+backspace shift+insert ctrl+k ctrl+u ctrl+d ctrl+h ctrl+w'; // prettier-ignore
/** Besides text and the above, these leave a selection as it is. */
const KEEPING_CHORDS = 'ctrl+c cmd+c ctrl+insert ctrl+f cmd+f';

const names = (text: string): ReadonlySet<string> => new Set(text.split(/\s*[,\n]\s*/).filter((one) => one !== ''));

/** Whole names of menu items that close a window, a tab or the application. */
export const CLOSING_ITEMS =
  names(`quit, exit, close, close tab, close window, close all, close all tabs, close document, close file, log out, shut down, restart
  beenden, schließen, tab schließen, fenster schließen, alle schließen, abmelden, herunterfahren, neu starten
  quitter, fermer, fermer l’onglet, fermer la fenêtre, fermer tout, se déconnecter
  salir, cerrar, cerrar pestaña, cerrar ventana, cerrar todo, cerrar sesión
  esci, chiudi, chiudi scheda, chiudi finestra, chiudi tutto
  sair, fechar, fechar aba, fechar janela, fechar tudo
  afsluiten, sluiten, tabblad sluiten, venster sluiten, alles sluiten
  zakończ, zamknij, zamknij kartę, zamknij okno, zamknij wszystkie
  выход, выйти, закрыть, закрыть вкладку, закрыть окно, закрыть все
  çık, çıkış, kapat, sekmeyi kapat, pencereyi kapat
  avsluta, stäng, afslut, luk, avslutt, lukk, lopeta, sulje, ukončit, zavřít, kilépés, bezárás
  退出, 关闭, 關閉, 關閉視窗, 关闭窗口, 结束, 結束
  終了, 閉じる, タブを閉じる, ウィンドウを閉じる
  종료, 닫기, 끝내기`);

/** Whole names of buttons of a dialog that give up what is not saved. */
export const DISCARDING_BUTTONS =
  names(`don't save, don’t save, close without saving, quit without saving, discard, discard changes, discard all, lose changes, revert, reload
  nicht speichern, ohne speichern schließen, verwerfen, änderungen verwerfen, zurücksetzen
  ne pas enregistrer, fermer sans enregistrer, abandonner, abandonner les modifications
  no guardar, cerrar sin guardar, descartar, descartar cambios
  non salvare, chiudi senza salvare, scarta, scarta modifiche, scarta le modifiche
  não salvar, não guardar, fechar sem salvar, descartar alterações
  niet opslaan, sluiten zonder opslaan, verwerpen
  nie zapisuj, zamknij bez zapisywania, odrzuć zmiany
  не сохранять, закрыть без сохранения, не сохранять изменения
  kaydetme, kaydetmeden kapat, değişiklikleri at
  spara inte, stäng utan att spara, gem ikke, ikke lagre
  不保存, 不儲存, 关闭不保存, 放弃更改, 捨棄
  保存しない, 破棄, 変更を破棄
  저장 안 함, 저장하지 않음, 변경 취소`);

/** Whole names of buttons and menu items that save. */
export const SAVING_CONTROLS =
  names(`save, save all, save file, save document, save and close, save changes, save page, overwrite, replace, write
  speichern, alle speichern, sichern, speichern und schließen, änderungen speichern, überschreiben, ersetzen
  enregistrer, tout enregistrer, enregistrer et fermer, écraser, remplacer
  guardar, guardar todo, guardar cambios, sobrescribir, reemplazar
  salva, salva tutto, sovrascrivi, sostituisci
  salvar, salvar tudo, guardar tudo, substituir
  opslaan, alles opslaan, overschrijven, vervangen
  zapisz, zapisz wszystko, zastąp, nadpisz
  сохранить, сохранить все, заменить, перезаписать
  kaydet, tümünü kaydet, üzerine yaz
  spara, gem, lagre, tallenna, uložit, mentés
  保存, 全部保存, 儲存, 存檔, 覆盖, 覆蓋, 替换
  上書き保存, 上書き, 置換
  저장, 모두 저장, 덮어쓰기, 바꾸기`);

const MODIFIER_ORDER = ['ctrl', 'alt', 'shift', 'cmd'];

/** One spelling for each chord: modifiers in a fixed order, letters small. */
export function canonicalChord(modifiers: readonly string[], key: string): string {
  const name = key === ' ' ? 'space' : key === '\n' || key === '\r' ? 'enter' : key.toLowerCase();
  const held = modifiers.map((one) => (one === 'super' ? 'cmd' : one));
  return [...MODIFIER_ORDER.filter((one) => held.includes(one)), name].join('+');
}

function parsed(chord: string): string {
  const key = chord.endsWith('+') ? '+' : (chord.split('+').at(-1) ?? '');
  return canonicalChord(chord.slice(0, chord.length - key.length).split('+'), key);
}

export const chordSet = (chords: string): ReadonlySet<string> => new Set(chords.split(' ').map(parsed));
export const SAVING = chordSet(SAVE_CHORDS);
export const SELECTING = chordSet(SELECTING_CHORDS);
export const REPLACING = chordSet(REPLACING_CHORDS);
export const KEEPING = chordSet(KEEPING_CHORDS);
