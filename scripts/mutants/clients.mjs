const read = (name, from, to, fails) => ({ name, file: 'src/main/pipeline/lenient-arguments.ts', test: 'test/pipeline/lenient-arguments.test.ts', from, to, fails }); // prettier-ignore
const taken = (name, from, to, fails) => ({ name, file: 'src/main/mcp/client-messages.ts', test: 'test/adversary/clients-as-they-are.test.ts', from, to, fails }); // prettier-ignore

export const CLIENTS = [
  read('exact-arguments-read-anew', 'EXACT.test(step)', 'EXACT.test(String(false))', 'is refused'), // prettier-ignore
  read('empty-id-left-out', ' || NAMES_ONE.test(name)', '', 'is refused'),
  read('two-spellings-that-differ', 'Object.hasOwn(given, name) && !isSame(given[name], given[key])', 'false', 'is refused'), // prettier-ignore
  read('number-read-inexactly', 'Math.abs(value) <= Number.MAX_SAFE_INTEGER', 'Number.isFinite(value)', 'is refused'), // prettier-ignore
  read('text-with-separators-as-one', '/[,;\\n]/.test(value)', 'false', 'is refused'),
  taken('unreadable-for-the-sdk', 'return issues.length > 0 ? issues :', 'return issues.length < 0 ? issues :', 'a member of _meta'), // prettier-ignore
];
