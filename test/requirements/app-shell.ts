import { requirements, type Rows } from './requirement.js';

const SHELL: Rows = {
  'AP-A-1': ['tray', 'app', 'The tray shows idle, watching, acting, waiting with a count, paused and a missing permission, in picture and words.'],
  'AP-A-2': ['popover', 'app', 'The popover is isolated and sandboxed, loads nothing from elsewhere, goes nowhere and opens nothing; links open in the browser.'],
  'AP-A-3': ['popover', 'app', 'The host takes messages only from the main frame of the popover’s own page.'],
  'AP-A-4': ['alerts', 'app', 'A waiting approval opens the popover without the focus, notifies with sound and a count, and says so twice more while it waits.'],
  'AP-A-5': ['race', 'app', 'Of two pages and the popover answering one approval, exactly one decision counts and the others are told.'],
  'AP-A-6': ['life', 'app', 'One app at a time; a second start and being activated show it; it can be launched at login.'],
  'AP-A-7': ['life', 'app', 'Quitting denies what waits, tells who asked, lets what acts end, and closes the host once.'],
  'AP-A-8': ['life', 'app', 'A crashed popover is loaded again once, then told of; uncaught errors are in the log, whose folder can be opened.'],
  'AP-A-9': ['life', 'app', 'A host that a shim started in the background makes room for the app; what is open stays open.'],
  'AP-A-10': ['starting', 'app', 'npm run app starts it, and npm start prefers it where Electron’s program and a screen are.'],
  'AP-A-11': ['alerts', 'app', 'On macOS a request’s notification can open or deny it; nothing can be allowed there.'],
  'AP-A-12': ['life', 'app', 'While another user has the screen, and while the machine sleeps, it counts as locked.'],
  'AP-A-13': ['popover', 'app', 'With several displays the popover is under the icon of the one in use, also after displays came or went.'],
  'AP-A-14': ['life', 'app', 'Where the helper that reads the desktop cannot run, the app says so in one sentence, refuses acts and serves chat.'],
  'AP-A-15': ['life', 'app', 'Where the native part of the bridge service is missing or broken, Health and doctor say so in one sentence, and chat and agents are served.'],
  'AP-A-16': ['alerts', 'app', 'A notification that macOS does not show is a beep, and Health says why.'],
  'AP-A-17': ['popover', 'app', 'On macOS the popover does not make this app the active one; the next request is in sight after it was hidden.'],
}; // prettier-ignore

export const APP_SHELL = requirements('The menubar app:', SHELL);
