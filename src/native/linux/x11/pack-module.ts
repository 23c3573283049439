/**
 * The code that packs pixels, in WebAssembly: sixteen at once, ten times as fast as a loop over numbers. In the module's memory, from
 * its beginning on, four bytes a pixel (blue, green, red, one that is unused) become three (red, green, blue).
 */

/** Of pixels that are read in one round, and of their colours. */
const [ROUND_BYTES, PACKED_BYTES] = [64, 48];

const [I32, V128] = [0x7f, 0x7b];
const [LOOP, WITHOUT_RESULT, BRANCH_IF, END] = [0x03, 0x40, 0x0d, 0x0b];
const [LOCAL_GET, LOCAL_SET, LOCAL_TEE] = [0x20, 0x21, 0x22];
const [CONSTANT, ADD, LESS_UNSIGNED] = [0x41, 0x6a, 0x49];
const [VECTOR, LOAD, STORE, SHUFFLE] = [0xfd, 0, 11, 13];
const SECTION = { types: 1, functions: 3, memory: 5, exports: 7, code: 10 };
const [FUNCTION_TYPE, EXPORTED_FUNCTION, EXPORTED_MEMORY] = [0x60, 0, 2];

/** The parameter, up to which bytes are packed, and the variables. */
const [LIMIT, FROM, TO, FIRST_VECTOR] = [0, 1, 2, 3];

const unsigned = (value: number): number[] =>
  value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...unsigned(value >>> 7)];
/** Up to 0x1fff. A last byte with bit 0x40 would be of a number below zero. */
const constant = (value: number): number[] => [
  CONSTANT,
  ...(value < 0x40 ? [value] : [(value & 0x7f) | 0x80, value >>> 7]),
];
const list = (...items: number[][]): number[] => [...unsigned(items.length), ...items.flat()];
const sized = (content: number[]): number[] => [...unsigned(content.length), ...content];
const section = (id: number, ...items: number[][]): number[] => [id, ...sized(list(...items))];
const named = (name: string, kind: number): number[] => [...sized([...Buffer.from(name)]), kind, 0];

/** Sixteen bytes of colours come from two of the four vectors of pixels. */
function third(index: number): number[] {
  const lanes = Array.from({ length: 16 }, (_, lane) => {
    const to = 16 * index + lane;
    return 4 * Math.floor(to / 3) + 2 - (to % 3) - 16 * index;
  });
  const vectors = [LOCAL_GET, FIRST_VECTOR + index, LOCAL_GET, FIRST_VECTOR + index + 1];
  return [LOCAL_GET, TO, ...vectors, VECTOR, SHUFFLE, ...lanes, VECTOR, STORE, 0, 16 * index];
}

const load = (index: number): number[] => [
  ...[LOCAL_GET, FROM, VECTOR, LOAD, 0, 16 * index],
  ...[LOCAL_SET, FIRST_VECTOR + index],
];

/** Exports `memory`, and `pack` with the number of bytes, which must not be 0. The last round may read and write beyond them. */
export function packModule(memoryPages: number): Uint8Array<ArrayBuffer> {
  const variables = list([2, I32], [4, V128]);
  const round = [
    ...[0, 1, 2, 3].flatMap(load),
    ...[0, 1, 2].flatMap(third),
    ...[LOCAL_GET, TO, ...constant(PACKED_BYTES), ADD, LOCAL_SET, TO],
    ...[LOCAL_GET, FROM, ...constant(ROUND_BYTES), ADD, LOCAL_TEE, FROM],
    ...[LOCAL_GET, LIMIT, LESS_UNSIGNED, BRANCH_IF, 0],
  ];
  const body = [...variables, LOOP, WITHOUT_RESULT, ...round, END, END];
  return Uint8Array.from([
    ...[0, ...Buffer.from('asm'), 1, 0, 0, 0],
    ...section(SECTION.types, [FUNCTION_TYPE, ...list([I32]), ...list()]),
    ...section(SECTION.functions, [0]),
    ...section(SECTION.memory, [0, ...unsigned(memoryPages)]),
    ...section(SECTION.exports, named('memory', EXPORTED_MEMORY), named('pack', EXPORTED_FUNCTION)),
    ...section(SECTION.code, sized(body)),
  ]);
}
