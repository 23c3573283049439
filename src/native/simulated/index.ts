/**
 * A desktop in memory: applications, windows, focus, text, clipboard and drawn pictures, without a display server.
 * Comes in: the calls of {@link Desktop}, and through `world` what applications and the person do. Goes out: the same values and
 * errors as a real backend's. Called by native/open.ts, by tests and by the demo.
 */
import { DesktopError } from '../desktop.js';
import type { Desktop, Display, Point } from '../desktop.js';
import { createActs } from './acts.js';
import { defaultApps } from './apps/index.js';
import { addApp } from './build.js';
import { copyOf, setClipboard } from './clipboard.js';
import { createGate } from './gate.js';
import type { Gate } from './gate.js';
import { createHints } from './hints.js';
import { createInput } from './input.js';
import { describeApp, windowOf } from './look.js';
import type { AppSpec, State } from './model.js';
import { createScreen } from './screen.js';
import { createSeeing } from './seeing.js';
import { launch, minimize, raise, requestClose, setFrame } from './windows.js';
import { createWorld } from './world.js';
import type { World } from './world.js';

export type { AppHands, AppSpec, ElementSpec, JournalEntry, WindowSpec } from './model.js';
export type { Changes, World } from './world.js';

export interface SimulatedDesktop extends Desktop {
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
  const listeners = new Set<(at: Point | null) => void>();
  const hints = createHints();
  const input = createInput(state, gate);
  const accessible = (): void => {
    if (state.permissions.accessibility !== 'missing') return;
    throw new DesktopError('permission', 'Accessibility is not allowed. Grant it, then try again.', {
      permission: 'accessibility',
    });
  };

  return {
    platform: 'simulated',
    version: 'Simulated desktop',
    world: hints.after(
      createWorld(state, gate, (at) => {
        for (const listener of [...listeners]) listener(at);
      }),
    ),
    ...createSeeing(state, gate, accessible),
    ...createScreen(state, gate),
    ...hints.after(createActs(state, gate, accessible)),
    ...hints.after(createManagement(state, gate)),
    ...hints.after(input),
    onPersonInput(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    onChange: hints.on,
    onLost: (listener) => gate.onLost(listener),
    async close() {
      await input.releaseAll();
      listeners.clear();
      hints.close();
      gate.close();
    },
  };
}

type Management = Pick<
  Desktop,
  | 'permissions'
  | 'focusWindow'
  | 'setWindowFrame'
  | 'setWindowMinimized'
  | 'closeWindow'
  | 'launch'
  | 'readClipboard'
  | 'writeClipboard'
>;

function createManagement(state: State, gate: Gate): Management {
  return {
    async permissions(signal) {
      await gate.enter(signal);
      return { ...state.permissions };
    },
    async focusWindow(id, signal) {
      await gate.enter(signal);
      raise(state, windowOf(state, id));
    },
    async setWindowFrame(id, frame, signal) {
      await gate.enter(signal);
      return setFrame(state, windowOf(state, id), frame);
    },
    async setWindowMinimized(id, minimized, signal) {
      await gate.enter(signal);
      if (minimized) minimize(state, windowOf(state, id));
      else raise(state, windowOf(state, id));
    },
    async closeWindow(id, signal) {
      await gate.enter(signal);
      const window = windowOf(state, id);
      await gate.answering(window.app, signal);
      requestClose(state, window);
    },
    async launch(application, signal) {
      await gate.enter(signal);
      return describeApp(state, launch(state, application));
    },
    async readClipboard(signal) {
      await gate.enter(signal);
      return copyOf(state.clipboard);
    },
    async writeClipboard(content, signal) {
      await gate.enter(signal);
      setClipboard(state, content);
    },
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
    permissions: { accessibility: 'granted', screenRecording: 'granted' },
    journal: [],
    nextId: 1,
    now: options.now ?? Date.now,
  };
  for (const make of state.installed) addApp(state, make());
  return state;
}
