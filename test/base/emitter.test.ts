import { expect, it, vi } from 'vitest';
import { createEmitter } from '../../src/base/emitter.js';

const throws = () => {
  throw new Error('no');
};

it('calls every listener, also after one has thrown', () => {
  const onError = vi.fn();
  const emitter = createEmitter<number>(onError);
  const listener = vi.fn();
  emitter.on(throws);
  emitter.on(listener);
  emitter.emit(1);
  expect(listener).toHaveBeenCalledWith(1);
  expect(onError).toHaveBeenCalledOnce();
});

it('throws to the caller where nobody takes errors, after all were called', () => {
  const emitter = createEmitter<void>();
  const listener = vi.fn();
  emitter.on(throws);
  emitter.on(listener);
  expect(() => emitter.emit()).toThrow('no');
  expect(listener).toHaveBeenCalledOnce();
});

it('calls no listener that was removed, also during the same event', () => {
  const emitter = createEmitter<void>();
  const listener = vi.fn();
  emitter.on(() => remove());
  const remove = emitter.on(listener);
  emitter.on(listener);
  emitter.emit();
  expect(listener).toHaveBeenCalledOnce();
  expect(emitter.size).toBe(2);
  emitter.clear();
  emitter.emit();
  expect(listener).toHaveBeenCalledOnce();
});
