import { afterEach, beforeEach, expect } from 'vitest';
import { openReader, type Opened } from './reader.js';
import { buildScene, type Scene } from './scene.js';
import { compileStandin, openScript, type Runtime } from './standin.js';

/** Before each test the scene is built anew and the members are opened on it; afterwards everything must have been released. */
export function withScene(onStart: (started: { scene: Scene; opened: Opened }) => void, runtime: Runtime = 'own') {
  const library = compileStandin(runtime);
  const script = openScript(library);
  let opened: Opened;
  const start = (): void => {
    const scene = buildScene(script);
    opened = openReader(library);
    onStart({ scene, opened });
  };
  const restart = (): void => {
    opened.core.close();
    start();
  };
  beforeEach(start);
  afterEach(async () => {
    // Completions that still run use what is closed here.
    await expect.poll(() => script.inFlight()).toBe(0);
    opened.core.close();
    expect(script.leaked()).toBe(0);
    expect(script.pools()).toBe(0);
  });
  return { library, script, restart };
}
