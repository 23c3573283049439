import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createClock } from '../../src/main/approvals/clock.js';

describe('the clock', () => {
  it('never runs back, never stands still while time passes, and follows a jump forward', () => {
    const step = fc.record({ ran: fc.nat(100_000), jump: fc.integer({ min: -10_000_000, max: 10_000_000 }) });
    fc.assert(
      fc.property(fc.array(step), (steps) => {
        let [wall, ran] = [1_000_000_000, 0];
        const clock = createClock(() => wall, () => ran); // prettier-ignore
        let last = clock.read();
        for (const { ran: more, jump } of steps) {
          const moved = Math.abs(jump) > 5_000 ? jump : 0;
          ran += more;
          wall += more + moved;
          const now = clock.read();
          expect(now - last).toBeGreaterThanOrEqual(more);
          if (moved > 0) expect(now - last).toBeGreaterThanOrEqual(moved);
          last = now;
        }
      }),
    );
  });

  it('does not gain by being read often', () => {
    let [wall, ran] = [1_000, 0];
    const clock = createClock(() => Math.floor(wall), () => ran); // prettier-ignore
    for (let count = 0; count < 100_000; count++) {
      wall += 0.1;
      ran += 0.1;
      clock.read();
    }
    expect(Math.abs(clock.read() - 11_000)).toBeLessThanOrEqual(2);
  });

  it('keeps going when the wall clock gives nonsense', () => {
    let [wall, ran] = [5_000, 0];
    const clock = createClock(() => wall, () => ran); // prettier-ignore
    wall = NaN;
    ran = 100;
    expect(clock.read()).toBe(5_100);
    expect(clock.iso()).toBe(new Date(5_100).toISOString());
  });

  it('has later readings after a bump', () => {
    const clock = createClock(() => 1_000, () => 0); // prettier-ignore
    const before = clock.read();
    clock.bump();
    expect(clock.read()).toBeGreaterThan(before);
  });
});
