/** What is used of WebAssembly here; the types of Node 20 lack it. */
declare namespace WebAssembly {
  class Module {
    constructor(code: Uint8Array<ArrayBuffer>);
  }
  class Memory {
    readonly buffer: ArrayBuffer;
  }
  class Instance {
    constructor(module: Module);
    readonly exports: Record<string, Memory | ((...given: number[]) => unknown)>;
  }
}
