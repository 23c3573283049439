/**
 * A desktop in memory: applications, windows, focus, text, clipboard and drawn pictures, without a display server.
 * Comes in: the calls of {@link DesktopBackend}, and through `world` what applications and the person do. Goes out: the same values and
 * errors as a real backend's. Called by native/open.ts, by tests and by the demo.
 */
import { createEmitter } from '../../base/emitter.js';
import { DesktopError, type ClipboardAccess, type DesktopBackend, type Display, type Point } from '../desktop.js';
import { createElementActions } from './element-actions.js';
import { defaultApps } from './apps/index.js';
import { addApp } from './state-changes.js';
import { readingOf, setClipboard } from './clipboard.js';
import { createGate, type Gate } from './gate.js';
import { createCallHints } from './change-hints.js';
import { createInput } from './input.js';
import { createWindowManager } from './window-manager.js';
import type { AppSpec, State } from './model.js';
import { createScreen } from './screen.js';
import { createFindTreeObject, createReader } from './reader.js';
import { createWorld, type World } from './world.js';
import { message } from '../../messages/index.js';

export type { AppControls, AppSpec, ElementSpec, JournalEntry, WindowSpec } from './model.js';
export type { ElementChanges as Changes, World } from './world.js';

export interface SimulatedDesktop extends DesktopBackend {
  readonly platform: 'simulated';
  readonly world: World;
}

export interface SimulatedOptions {
  /** Running at the start, bottom first; default: Terminal, Calculator, Notes, Mail. */
  apps?: AppSpec[];
  /** Default: one of 1440 × 900 points at scale 1. */
  displays?: Display[];
  /** Milliseconds; default Date.now. Decides what a double click is. */
  now?: () => number;
}

export function openSimulated(options: SimulatedOptions = {}): SimulatedDesktop {
  const state = createState(options);
  const gate = createGate();
  const personInput = createEmitter<Point | null>();
  const syntheticInput = createEmitter<void>();
  const hints = createCallHints();
  const input = createInput(state, gate);
  const requireAccessibility = (): void => {
    if (state.permissions.accessibility !== 'missing') return;
    throw new DesktopError('permission', message('native.no_accessibility'), {
      permission: 'accessibility',
    });
  };
  const findTreeObject = createFindTreeObject(state, gate, requireAccessibility);

  return {
    platform: 'simulated',
    version: 'Simulated desktop',
    world: hints.after(createWorld(state, gate, personInput.emit, syntheticInput.emit)),
    ...createReader(state, gate, requireAccessibility, findTreeObject),
    ...createScreen(state, gate, hints.on),
    ...hints.after(createElementActions(state, findTreeObject)),
    ...hints.after(createWindowManager(state, gate)),
    ...hints.after(createPermissionsAndClipboard(state, gate)),
    ...hints.after(input),
    onPersonInput: personInput.on,
    onSyntheticInput: syntheticInput.on,
    flushInputEvents: (signal) => gate.enter(signal),
    onChange: hints.on,
    onLost: gate.onLost,
    async close() {
      await input.releaseAll();
      personInput.clear();
      syntheticInput.clear();
      state.clipboardChanges.clear();
      hints.close();
      gate.close();
    },
  };
}

function createPermissionsAndClipboard(
  state: State,
  gate: Gate,
): ClipboardAccess & Pick<DesktopBackend, 'permissions'> {
  return {
    async permissions(signal) {
      await gate.enter(signal);
      return { ...state.permissions };
    },
    async readClipboard(signal) {
      await gate.enter(signal);
      return readingOf(state.clipboard);
    },
    async writeClipboard(content, signal) {
      await gate.enter(signal);
      setClipboard(state, content, 'us');
    },
    onClipboardChange: state.clipboardChanges.on,
  };
}

function createState(options: SimulatedOptions): State {
  const main = { x: 0, y: 0, width: 1440, height: 900 };
  const state: State = {
    displays: options.displays ?? [{ id: 'display-1', name: 'Simulated display', frame: main, scale: 1, main: true }],
    apps: [],
    stack: [],
    active: null,
    installed: options.apps?.map((spec) => () => spec) ?? defaultApps(),
    pointer: { x: 0, y: 0 },
    heldKeys: new Set(),
    heldButtons: new Map(),
    lastClick: null,
    clipboard: {},
    clipboardCount: 0,
    clipboardChanges: createEmitter(),
    permissions: { accessibility: 'granted', screenRecording: 'granted' },
    journal: [],
    nextId: 1,
    now: options.now ?? Date.now,
  };
  for (const make of state.installed) addApp(state, make());
  return state;
}
