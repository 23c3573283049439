import { Writable } from 'node:stream';
import { expect, it } from 'vitest';
import { createLineWriter } from '../../src/main/shim/mcp.js';

function collector() {
  const writes: string[] = [];
  const out = new Writable({
    decodeStrings: false,
    write(chunk: string, _encoding, done) {
      writes.push(chunk);
      done();
    },
    writev(chunks, done) {
      writes.push(chunks.map(({ chunk }) => String(chunk)).join(''));
      done();
    },
  });
  return { write: createLineWriter(out), writes };
}

const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

it('writes the first line of a turn at once and the others together, with the first where the turn before had several', async () => {
  const { write, writes } = collector();
  ['1', '2', '3'].forEach(write);
  expect(writes).toEqual(['1\n']);
  await nextTurn();
  ['4', '5'].forEach(write);
  await nextTurn();
  write('6');
  await nextTurn();
  write('7');
  expect(writes).toEqual(['1\n', '2\n3\n', '4\n5\n', '6\n', '7\n']);
});
