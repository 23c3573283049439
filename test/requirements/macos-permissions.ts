import { requirements } from './requirement.js';

/** What macOS lets Chaperone do, as the person meets it. */
// prettier-ignore
export const MACOS_PERMISSIONS = requirements('Permissions on macOS', {
  'MP-1': ['states', 'macos', 'Granted, missing and stale are told apart, each with its own way out.'],
  'MP-2': ['states', 'macos', 'A permission that is given or taken while Chaperone runs is noticed by itself.'],
  'MP-3': ['asking', 'macos', 'The system asks the person only when they press; looking at permissions raises nothing.'],
  'MP-4': ['asking', 'macos', 'No function of the system that asks for a permission is reachable from the backend.'],
  'MP-6': ['naming', 'macos', 'Page, doctor and the ways out name the program that the settings list, and what to drag there where it is not listed.'],
  'MP-7': ['states', 'macos', 'Screen Recording that is given while the app runs is followed by a button that starts it again, never while a call runs or a request waits.'],
  'MP-8': ['naming', 'macos', 'The app that is started from a terminal answers for itself, so the terminal gets none of its permissions; it does not start otherwise.'],
  'MP-9': ['asking', 'macos', 'node-mac-permissions asks for Screen Recording where it was built, also in a package; else Electron does.'],
  'MP-5': ['states', 'macos', 'An entry of an older build is mended step by step, by the settings or by one command.'],
});

/** What a person with a Mac can try and send. */
// prettier-ignore
export const MACOS_SELF_TEST = requirements('The self-test', {
  'MT-ST-1': ['table', 'macos', 'Each member of the desktop’s interface has a row; right is only what a second witness saw too.'],
  'MT-ST-2': ['table', 'macos', 'A member that says it is done and does nothing is wrong.'],
  'MT-ST-3': ['table', 'macos', 'What may not be done, hangs or fails is never counted as right, and the rest is still run.'],
  'MT-ST-4': ['table', 'macos', 'The table is saved as a file to send; only a whole run without a fault ends well.'],
  'MT-ST-5': ['table', 'macos', 'It types only into what it opened itself, and puts a copied text back.'],
  'MT-ST-7': ['table', 'macos', 'Permissions are held against what another library reads, where it is installed; it raises no question.'],
  'MT-ST-8': ['table', 'macos', 'In the packaged app it runs as the app, with the app’s helpers, once a person has pressed Start.'],
  'MT-ST-6': ['table', 'macos', 'The same program runs in the tests on the macOS backend over stand-ins, and finds every member right or unsupported.'],
  'MT-START-1': ['npm start', 'macos', 'On a Mac the app is started; plain Node says that the terminal would be granted, and takes the simulated desktop unless told otherwise.'],
  'MT-START-3': ['chaperone mcp', 'macos', 'On a Mac the shim has the system start the app where it is installed; else a host in the background, on the simulated desktop.'],
  'MT-INPUT-1': ['input', 'macos', 'An act by pointer or keys is done when its own events have come back from the system, or a moment has passed.'],
  'MT-HELD-1': ['input', 'macos', 'What a helper held when it ended is let go of by the next one.'],
  'MT-HELPERS-1': ['helpers', 'macos', 'In the app the backend’s helpers are utility processes of Electron; one that hangs is ended at once, and another answers.'],
  'MT-START-2': ['npm start', 'macos', 'The addon is built where Apple’s compiler is, only when it is stale, and nothing else waits for it.'],
  'MT-CI-1': ['workflow', 'macos', 'One push builds, tests, self-tests and packages on Macs of both processors.'],
  'MT-CI-2': ['workflow', 'macos', 'The steps on a hosted Mac fail without a whole table, with a test of the desktop contract that fails, and without an app that starts and a bridge service that answers.'],
});
