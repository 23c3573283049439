/** What every member needs: the libraries, memory, values, the run loop and the elements that are known. */
import { bindLibraries, type Bound } from './calls/bind.js';
import type { LibraryPaths } from './calls/libraries.js';
import { createAccessibilityCalls, type AccessibilityCalls } from './accessibility/calls.js';
import { WokenApps } from './accessibility/woken-apps.js';
import { createElementTable, type ElementTable } from './accessibility/element-table.js';
import { createBlocks, type Blocks } from './foundation/blocks.js';
import { createConstantTexts } from './foundation/constants.js';
import { openRunLoop, type RunLoop } from './foundation/run-loop.js';
import { createPooled, createScoped, type Scoped } from './foundation/scope.js';
import { createValueMaking, createValueReading, type ValueMaking, type ValueReading } from './foundation/values.js';
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
