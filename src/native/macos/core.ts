/** What every member needs: the libraries, memory, values, the run loop and the elements that are known. */
import { bindLibraries, type Bound } from './calls/bind.js';
import { type LibraryPaths, RUN_LOOP_HANDLED_SOURCE } from './calls/libraries.js';
import { createAccessibilityCalls, type AccessibilityCalls } from './accessibility/calls.js';
import { WokenApps } from './accessibility/woken-apps.js';
import { createElementTable, type ElementTable } from './accessibility/element-table.js';
import { createBlocks, type Blocks } from './foundation/blocks.js';
import {
  createConstantTexts,
  createValueMaking,
  createValueReading,
  type ValueMaking,
  type ValueReading,
} from './foundation/values.js';
import { createPooled, createScoped, type Scoped } from './foundation/scope.js';
import { createProcesses, type Processes } from './processes.js';

export interface Core {
  bound: Bound;
  scoped: Scoped;
  pooled: <T>(work: () => T) => T;
  reading: ValueReading;
  making: ValueMaking;
  runLoop: RunLoop;
  blocks: Blocks;
  processes: Processes;
  ax: AccessibilityCalls;
  elements: ElementTable;
  woken: WokenApps;
  close(): void;
}

export interface CoreOptions {
  /** Of stand-ins, in tests. */
  libraries?: LibraryPaths;
  /** Of this process among its predecessors: ids of elements carry it, so those of another process are stale and never wrong. */
  generation: number;
}

/** Throws off the main thread, where accessibility and AppKit end the process or answer wrongly. */
export function openCore({ libraries, generation }: CoreOptions): Core {
  const bound = bindLibraries(libraries);
  if (bound.processes.pthread_main_np() !== 1) throw new Error('the macOS backend must run on the main thread');
  const scoped = createScoped(bound.coreFoundation);
  const reading = createValueReading(bound);
  const making = createValueMaking(bound);
  const texts = createConstantTexts(bound);
  const processes = createProcesses(bound);
  const runLoop = openRunLoop(bound);
  const blocks = createBlocks(bound);
  const ax = createAccessibilityCalls({ bound, scoped, reading, making, texts, processes });
  const elements = createElementTable(bound, generation);
  const woken = new WokenApps({ ax, making, scoped, processes });
  return {
    bound,
    scoped,
    pooled: createPooled(bound),
    reading,
    making,
    runLoop,
    blocks,
    processes,
    ax,
    elements,
    woken,
    close() {
      woken.putBack();
      runLoop.stop();
      blocks.close();
      elements.close();
      ax.close();
      texts.close();
    },
  };
}

/**
 * Turns of the main run loop. Node never turns it, and without turns no notification of accessibility, no event tap and no fresh
 * list of applications would come.
 */
type RunLoop = ReturnType<typeof openRunLoop>;

const CADENCE_MS = 10;
/** So that a source which never runs dry cannot hold JavaScript. */
const MOST_TURNS = 100;

export function openRunLoop(bound: Bound) {
  const mode = bound.object('coreFoundation', 'kCFRunLoopDefaultMode');
  let timer: NodeJS.Timeout | null = null;
  const turn = (): boolean => {
    for (let turns = 0; turns < MOST_TURNS; turns++) {
      if (bound.coreFoundation.CFRunLoopRunInMode(mode, 0, 1) !== RUN_LOOP_HANDLED_SOURCE) return false;
    }
    return true;
  };
  return {
    /** Handles what waits, and nothing that comes later; returns at once where nothing does. True where it left some. */
    turn,
    /** Turns every few milliseconds until `stop`, without keeping the process alive. */
    start(): void {
      timer ??= setInterval(turn, CADENCE_MS).unref();
    },
    stop(): void {
      if (timer !== null) clearInterval(timer);
      timer = null;
    },
  };
}
