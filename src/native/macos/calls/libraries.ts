/** Where each library is on a Mac (in the shared cache, so there may be no such file), and which prototypes it has. */
import { ACCESSIBILITY } from './accessibility.js';
import { CORE_FOUNDATION } from './core-foundation.js';
import { COLOR_SYNC, CORE_GRAPHICS } from './core-graphics.js';
import { EVENTS } from './events.js';
import { IMAGES } from './pictures.js';
import { APPLE_EVENTS, BUNDLES, LAUNCH_SERVICES } from './launching.js';
import { OBJECTIVE_C } from './objective-c.js';
import { PROCESSES } from './processes.js';
import { KEY_TRANSLATION, TEXT_INPUT } from './text-input.js';

const FRAMEWORKS = '/System/Library/Frameworks';

export const LIBRARY_PATHS = {
  coreFoundation: `${FRAMEWORKS}/CoreFoundation.framework/CoreFoundation`,
  coreGraphics: `${FRAMEWORKS}/CoreGraphics.framework/CoreGraphics`,
  colorSync: `${FRAMEWORKS}/ColorSync.framework/ColorSync`,
  accessibility: `${FRAMEWORKS}/ApplicationServices.framework/Versions/A/Frameworks/HIServices.framework/Versions/A/HIServices`,
  objectiveC: '/usr/lib/libobjc.A.dylib',
  /** Only loaded: its classes are found by name. */
  appKit: `${FRAMEWORKS}/AppKit.framework/AppKit`,
  /** Likewise. */
  screenCaptureKit: `${FRAMEWORKS}/ScreenCaptureKit.framework/ScreenCaptureKit`,
  processes: '/usr/lib/libSystem.B.dylib',
  textInput: `${FRAMEWORKS}/Carbon.framework/Versions/A/Frameworks/HIToolbox.framework/Versions/A/HIToolbox`,
  coreServices: `${FRAMEWORKS}/CoreServices.framework/CoreServices`,
} as const;

export type LibraryPaths = Readonly<Record<keyof typeof LIBRARY_PATHS, string>>;

export const PROTOTYPES = {
  coreFoundation: { ...CORE_FOUNDATION, ...BUNDLES },
  coreGraphics: { ...CORE_GRAPHICS, ...EVENTS, ...IMAGES },
  colorSync: COLOR_SYNC,
  accessibility: ACCESSIBILITY,
  objectiveC: OBJECTIVE_C,
  processes: PROCESSES,
  textInput: TEXT_INPUT,
  coreServices: { ...KEY_TRANSLATION, ...LAUNCH_SERVICES, ...APPLE_EVENTS },
} as const;
