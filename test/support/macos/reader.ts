/** The reading members on the stand-in libraries, as the helper process will put them together. */
import { openElementReader, type ElementReader } from '../../../src/native/macos/accessibility/element-reader.js';
import { openCore, type Core } from '../../../src/native/macos/core.js';
import { openApps, type Apps } from '../../../src/native/macos/screen/apps.js';
import { openWindowRows, type WindowRows } from '../../../src/native/macos/screen/window-rows.js';
import { openWindows, type Windows } from '../../../src/native/macos/screen/windows.js';
import { standinPaths } from './standin.js';

export interface Opened {
  core: Core;
  rows: WindowRows;
  apps: Apps;
  windows: Windows;
  reader: ElementReader;
}

export function openReader(library: string, generation = 1): Opened {
  const core = openCore({ libraries: standinPaths(library), generation });
  const rows = openWindowRows(core);
  const apps = openApps(core, rows);
  const windows = openWindows(core, rows, apps);
  return { core, rows, apps, windows, reader: openElementReader({ core, rows, apps, windows }) };
}
