/**
 * Applications of Chromium that were asked to show accessibility their pages. They are slower for as long, and programs that arrange
 * windows cannot move theirs, so it is put back when Chaperone ends.
 */
import type { ValueMaking } from '../foundation/values.js';
import type { Scoped } from '../foundation/scope.js';
import type { Processes } from '../processes.js';
import { nullWithoutAnswer, truthOf } from './answers.js';
import type { AccessibilityCalls } from './calls.js';
import { ATTRIBUTE } from './names.js';

export interface WokenApp {
  pid: number;
  startTime: string;
  attribute: string;
}

interface Parts {
  ax: AccessibilityCalls;
  making: ValueMaking;
  scoped: Scoped;
  processes: Processes;
}

/** Some versions say that they do not know the first one. The second is also what browsers know in place of it. */
const ATTRIBUTES = [ATTRIBUTE.manualAccessibility, ATTRIBUTE.enhancedInterface] as const;

export class WokenApps {
  readonly #parts: Parts;
  #woken: WokenApp[] = [];
  #tell: (app: WokenApp) => void = () => undefined;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** The host keeps them for the helpers after this one. */
  onWoken(tell: (app: WokenApp) => void): void {
    this.#tell = tell;
  }

  wake(pid: number): void {
    const { processes } = this.#parts;
    const startTime = processes.startTime(pid);
    if (startTime === null) return;
    for (const attribute of ATTRIBUTES) {
      // What another assistive program has switched on stays on.
      const was = this.#isOn(pid, attribute);
      if (this.#set(pid, attribute, true) === 'unsupported') continue;
      if (was === true) return;
      const app = { pid, startTime, attribute };
      this.#woken.push(app);
      this.#tell(app);
      return;
    }
  }

  /** `others`: of helpers before this one. */
  putBack(others: readonly WokenApp[] = []): void {
    const all = new Map([...others, ...this.#woken].map((app) => [`${app.pid} ${app.startTime}`, app]));
    this.#woken = [];
    for (const { pid, startTime, attribute } of all.values())
      if (this.#parts.processes.startTime(pid) === startTime) this.#set(pid, attribute, false);
  }

  #isOn(pid: number, attribute: string): boolean | null {
    const { ax, scoped } = this.#parts;
    return scoped((scope) =>
      nullWithoutAnswer(() => truthOf(ax.attribute(scope, ax.application(scope, pid), attribute))),
    );
  }

  #set(pid: number, attribute: string, on: boolean): 'done' | 'unsupported' | 'refused' {
    const { ax, making, scoped } = this.#parts;
    return scoped((scope) => ax.trySet(ax.application(scope, pid), attribute, making.boolean(on)));
  }
}
