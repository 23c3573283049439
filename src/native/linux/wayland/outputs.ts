/** The outputs of the compositor, by their names: what pictures are taken of, and how each is turned. */
import type { Registry, WireConnection } from './wire.js';

const OUTPUT = 'wl_output';
const VERSION = 4;

export interface Output {
  id: number;
  name: string;
  /** Of `wl_output.transform`: quarter turns counterclockwise, and from 4 on mirrored first. */
  transform: number;
}

export class Outputs {
  readonly #known = new Map<number, Output>();
  readonly #stop: () => void;

  private constructor(private readonly registry: Registry) {
    this.#bindNew();
    this.#stop = registry.onChange(() => this.#bindNew());
  }

  static async read(wire: WireConnection, registry: Registry): Promise<Outputs> {
    const outputs = new Outputs(registry);
    await wire.roundtrip();
    return outputs;
  }

  find(name: string): Output | null {
    return [...this.#known.values()].find((output) => output.name === name) ?? null;
  }

  close(): void {
    this.#stop();
  }

  #bindNew(): void {
    const offered = this.registry.all(OUTPUT);
    for (const { name } of [...this.#known].map(([one]) => ({ name: one })))
      if (!offered.some((one) => one.name === name)) this.#known.delete(name);
    for (const global of offered) {
      if (this.#known.has(global.name)) continue;
      const output: Output = { id: 0, name: '', transform: 0 };
      this.#known.set(global.name, output);
      const bound = this.registry.bind(
        OUTPUT,
        VERSION,
        (opcode, event) => {
          if (opcode === 4) output.name = event.string();
          if (opcode !== 0) return;
          // Place, size and subpixels.
          for (let skipped = 0; skipped < 5; skipped += 1) event.int();
          event.string();
          event.string();
          output.transform = event.int();
        },
        global,
      );
      output.id = bound?.id ?? 0;
    }
  }
}
