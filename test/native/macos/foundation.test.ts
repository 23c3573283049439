import { execFileSync } from 'node:child_process';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { bindLibraries } from '../../../src/native/macos/calls/bind.js';
import type { Owned, Ref } from '../../../src/native/macos/calls/types.js';
import { createBlocks } from '../../../src/native/macos/foundation/blocks.js';
import {
  createConstantTexts,
  createValueMaking,
  createValueReading,
} from '../../../src/native/macos/foundation/values.js';
import { openRunLoop } from '../../../src/native/macos/core.js';
import { createPooled, createScoped, type Scope } from '../../../src/native/macos/foundation/scope.js';
import { compileStandin, openScript, RUNTIMES, standinPaths } from '../../support/macos/standin.js';

/** A completion that brings an error. */
const ERRS = 3;

/** Made by the stand-in, as a function with Create in its name would. */
const owned = (ref: Ref): Owned => ref as Owned;
const present = (ref: Ref | null): Ref => {
  if (ref === null) throw new Error('expected an object');
  return ref;
};

describe.each(RUNTIMES)('[req:MA-4] on the runtime %s:', (runtime) => {
  const library = compileStandin(runtime);
  const bound = bindLibraries(standinPaths(library));
  const script = openScript(library);
  const scoped = createScoped(bound.coreFoundation);
  const pooled = createPooled(bound);
  const reading = createValueReading(bound);
  const making = createValueMaking(bound);
  const classOf = (name: string): Ref => present(bound.objectiveC.objc_getClass(name));

  const survives = (make: (scope: Scope) => Ref | null): unknown =>
    scoped((scope) => reading.read(present(make(scope))));

  afterEach(() => expect(script.pools()).toBe(0));

  describe('what is taken over', () => {
    let before = 0;
    beforeEach(() => {
      script.reset();
      before = script.liveObjects();
    });

    it('is released at the end, also after an error', () => {
      expect(() =>
        scoped((scope) => {
          const text = present(making.text(scope, 'kept'));
          making.list(scope, [text, text]);
          expect(script.liveObjects()).toBe(before + 2);
          throw new Error('on the way');
        }),
      ).toThrow('on the way');
      expect(script.liveObjects()).toBe(before);
    });

    it('stays with what retains it: a list keeps its items', () => {
      scoped((outer) => {
        const list = scoped((inner) => {
          const text = present(making.text(inner, 'inside'));
          return present(making.list(outer, [text]));
        });
        expect(reading.list(list).map((ref) => reading.text(ref))).toEqual(['inside']);
      });
      expect(script.liveObjects()).toBe(before);
    });

    it('leaves nothing after 100,000 objects', () => {
      for (let round = 0; round < 20_000; round++) {
        scoped((scope) => {
          const text = present(making.text(scope, `object ${round}`));
          making.number(scope, round);
          making.point(scope, { x: round, y: 0.5 });
          making.size(scope, { width: round, height: 1 });
          expect(making.list(scope, [text])).not.toBeNull();
        });
      }
      expect(script.liveObjects()).toBe(before);
    });

    it('is empty where the call failed', () => {
      expect(scoped((scope) => scope.ownFrom(() => -25205))).toEqual({ status: -25205, ref: null });
    });

    it.each([
      ['released twice', 'cf.CFRelease(text); cf.CFRelease(text);', 'used after its last release'],
      ['sent a message after its end', 'const made = bound.send(bound.send(bound.objectiveC.objc_getClass("SCStreamConfiguration"), "alloc"), "init"); cf.CFRelease(made); bound.send(made, "init");', 'used after its last release'],
      ['not an object', 'cf.CFRelease(bound.address("coreFoundation", "kCFTypeArrayCallBacks"));', 'is no object'],
      ['another kind', 'cf.CFArrayGetCount(text);', 'of type 1 was given where one of type 4 belongs'],
      ['autoreleased without a pool', 'bound.send(bound.objectiveC.objc_getClass("NSScreen"), "screens");', 'no pool'],
      ['in a pool that is closed before a later one', 'const { objc_autoreleasePoolPush: push, objc_autoreleasePoolPop: pop } = bound.objectiveC; const first = push(); push(); pop(first);', 'not the last one'],
      ['sent an unknown selector', 'bound.send(bound.objectiveC.objc_getClass("NSScreen"), "sharedWorkspace");', /unrecognized selector|does not recognize/],
    ])('makes the stand-in abort where an object is %s', (_, code, said) => {
      expect(() => inProcess(library, code)).toThrow(said);
    }); // prettier-ignore
  });

  describe('pools', () => {
    it('release what was autoreleased within them', () => {
      const before = script.liveObjects();
      script.addDisplay(1, 'Built-in', 0, 0, 800, 600, 2, 0);
      pooled(() => {
        const screens = bound.send(classOf('NSScreen'), 'screens');
        expect(reading.list(screens)).toHaveLength(1);
        expect(script.liveObjects()).toBe(before + 2);
      });
      expect(script.liveObjects()).toBe(before);
    });

    it('are outlived by what is retained', () => {
      script.reset();
      const before = script.liveObjects();
      script.addDisplay(1, 'Büro 👩‍🚀', 0, 0, 800, 600, 2, 0);
      scoped((scope) => {
        const name = pooled(() => {
          const [screen] = reading.list(bound.send(classOf('NSScreen'), 'screens'));
          return scope.retain(present(bound.send(present(screen ?? null), 'localizedName')));
        });
        expect(script.liveObjects()).toBe(before + 1);
        expect(reading.text(name)).toBe('Büro 👩‍🚀');
      });
      expect(script.liveObjects()).toBe(before);
    });

    it('within pools release only their own', () => {
      script.reset();
      const before = script.liveObjects();
      script.addDisplay(1, 'Built-in', 0, 0, 800, 600, 2, 0);
      const named = (): string | null => {
        const [screen] = reading.list(bound.send(classOf('NSScreen'), 'screens'));
        return reading.text(bound.send(present(screen ?? null), 'localizedName'));
      };
      pooled(() => {
        named();
        const held = script.liveObjects();
        expect(pooled(named)).toBe('Built-in');
        expect(script.liveObjects()).toBe(held);
      });
      expect(script.liveObjects()).toBe(before);
    });

    it('leave nothing of 100,000 objects', () => {
      script.reset();
      const before = script.liveObjects();
      script.addDisplay(1, 'Built-in', 0, 0, 800, 600, 2, 0);
      pooled(() => {
        for (let round = 0; round < 50_000; round++) bound.send(classOf('NSScreen'), 'screens');
        expect(script.liveObjects()).toBe(before + 100_000);
      });
      expect(script.liveObjects()).toBe(before);
    });
  });

  describe('completions', () => {
    const asked = (read: (result: Ref | null, error: Ref | null) => unknown): Promise<unknown> => {
      const { completed } = blocks;
      const start = (block: bigint) => bound.send(classOf('SCShareableContent'), METHOD, 0, 1, block);
      return completed(start, (...given) => pooled(() => read(...given)));
    };
    const METHOD = 'getShareableContentExcludingDesktopWindows:onScreenWindowsOnly:completionHandler:';
    const blocks = createBlocks(bound);
    afterAll(() => blocks.close());

    it('bring an object from another thread, which lives until it was read', async () => {
      script.reset();
      const before = script.liveObjects();
      script.addDisplay(7, 'Built-in', 0, 0, 800, 600, 2, 0);
      const ids = await asked((content) =>
        reading.list(bound.send(present(content), 'displays')).map((display) => bound.send(display, 'displayID')),
      );
      expect(ids).toEqual([7]);
      await expect.poll(() => script.inFlight()).toBe(0);
      expect(script.liveObjects()).toBe(before);
    });

    it('bring an error with its code', async () => {
      script.reset();
      const before = script.liveObjects();
      script.pictureMode(ERRS, 0, -3801);
      expect(await asked((_, error) => bound.send(present(error), 'code'))).toBe(-3801);
      await expect.poll(() => script.inFlight()).toBe(0);
      expect(script.liveObjects()).toBe(before);
    });
  });

  describe('messages', () => {
    it.each(['x64', 'arm64'].filter((arch) => arch === process.arch))('return structures on %s', () => {
      script.reset();
      script.addDisplay(1, 'Built-in', 0, 0, 800, 600, 2, 0);
      pooled(() => {
        const [screen] = reading.list(bound.send(classOf('NSScreen'), 'screens'));
        const frame = bound.send(present(screen ?? null), 'visibleFrame');
        expect(frame).toEqual({ origin: { x: 0, y: 0 }, size: { width: 800, height: 575 } });
        expect(bound.send(present(screen ?? null), 'CGDirectDisplayID')).toBe(1);
      });
    });

    it('to nil are answered with nothing', () => {
      const nil = 0n;
      expect(bound.send(nil, 'screens')).toBeNull();
      expect(bound.send(nil, 'processIdentifier')).toBe(0);
      expect(bound.send(nil, 'pointPixelScale')).toBe(0);
    });

    it('through the wrong entry do not pass for an answer', () => {
      const code = `script.addDisplay(1, 'Built-in', 0, 0, 800, 600, 2, 0);
        const wrong = bindLibraries(standinPaths(library), 'other');
        bound.objectiveC.objc_autoreleasePoolPush();
        const list = bound.send(bound.objectiveC.objc_getClass('NSScreen'), 'screens');
        const items = new BigUint64Array(1);
        cf.CFArrayGetValues(list, 0, 1, items);
        wrong.send(items[0], 'visibleFrame');`;
      if (process.arch === 'x64') expect(() => inProcess(library, code)).toThrow('no object');
      else expect(inProcess(library, code)).toBe('');
    });
  });

  describe('values', () => {
    it.each(['', 'plain', 'Größe', '家', '👩‍🚀 in space', 'half \ud83d', '\udc00 other half', 'zero \0 inside', 'x'.repeat(1_000_000)])(
      'keep the text %#',
      (text) => expect(survives((scope) => making.text(scope, text))).toEqual({ kind: 'text', text }),
    ); // prettier-ignore

    it.each([0, -1, 8, 2 ** 40, -(2 ** 53) + 1])('keep the whole number %d', (number) =>
      expect(survives((scope) => making.number(scope, number))).toEqual({ kind: 'number', number, whole: true }),
    );
    it.each([0.5, -1e300, 2 ** 60])('keep the number %d', (number) =>
      expect(survives((scope) => making.number(scope, number))).toEqual({ kind: 'number', number, whole: false }),
    );
    it('keep truth, points, sizes and rectangles', () => {
      expect(reading.read(making.boolean(true))).toEqual({ kind: 'boolean', boolean: true });
      expect(reading.read(making.boolean(false))).toEqual({ kind: 'boolean', boolean: false });
      const point = { x: -1.5, y: 2 };
      const size = { width: 3, height: 4.25 };
      expect(survives((scope) => making.point(scope, point))).toEqual({ kind: 'point', point });
      expect(survives((scope) => making.size(scope, size))).toEqual({ kind: 'size', size });
      const rect = { ...point, ...size };
      expect(survives((scope) => scope.own(owned(script.rectValue(-1.5, 2, 3, 4.25))))).toEqual({ kind: 'rect', rect });
    });
    it('tell what an address, a styled text and a missing attribute are', () => {
      expect(survives((scope) => scope.own(owned(script.wrapped(6, 'https://a.example/%C3%A4'))))).toMatchObject({ text: 'https://a.example/%C3%A4' }); // prettier-ignore
      expect(survives((scope) => scope.own(owned(script.wrapped(7, 'styled'))))).toEqual({ kind: 'text', text: 'styled' }); // prettier-ignore
      expect(survives((scope) => scope.own(owned(script.errorValue(-25205))))).toEqual({ kind: 'error', code: -25205 });
    });
    it('are null where another kind is asked for', () => {
      expect(reading.text(null)).toBeNull();
      expect(reading.text(making.boolean(true))).toBeNull();
      expect(reading.number(making.boolean(true))).toBeNull();
      expect(reading.list(making.boolean(true))).toEqual([]);
    });
  });

  describe('names of attributes', () => {
    it('are made once, and released at the end', () => {
      const before = script.liveObjects();
      const texts = createConstantTexts(bound);
      expect(texts.of('AXRole')).toBe(texts.of('AXRole'));
      expect(script.liveObjects()).toBe(before + 1);
      texts.close();
      expect(script.liveObjects()).toBe(before);
    });
  });

  describe('the run loop', () => {
    it('turns by itself until it is stopped, and applications are known only after a turn', async () => {
      script.reset();
      const loop = openRunLoop(bound);
      const running = (): number =>
        pooled(() => {
          const workspace = bound.send(classOf('NSWorkspace'), 'sharedWorkspace');
          return reading.list(bound.send(present(workspace), 'runningApplications')).length;
        });
      loop.turn();
      expect(running()).toBe(0);
      script.addApp(5_000_501, 'Notes', 'com.example.notes', 0);
      expect(running()).toBe(0);
      loop.start();
      await expect.poll(running).toBe(1);
      loop.stop();
    });
  });
});

/** What ends a process must not end the tests. */
function inProcess(library: string, code: string): string {
  const program = `
    import { bindLibraries } from '${import.meta.dirname}/../../../dist/native/macos/calls/bind.js';
    import koffi from 'koffi';
    const library = ${JSON.stringify(library)};
    const standinPaths = (one) => Object.fromEntries(['coreFoundation', 'coreGraphics', 'colorSync', 'accessibility', 'objectiveC', 'appKit', 'screenCaptureKit', 'processes', 'textInput', 'coreServices'].map((name) => [name, one]));
    const bound = bindLibraries(standinPaths(library));
    const cf = bound.coreFoundation;
    const script = { addDisplay: koffi.load(library).func('void standin_add_display(uint32_t, str, double, double, double, double, double, uint32_t)') };
    const text = cf.CFStringCreateWithCharacters(null, new Uint16Array([97]), 1);
    ${code}`;
  return execFileSync(process.execPath, ['--input-type=module', '-e', program], { stdio: ['ignore', 'pipe', 'pipe'] }).toString(); // prettier-ignore
}
