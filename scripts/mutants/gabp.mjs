const at = (file, fails) => (name, from, to) => ({ name, file: `src/main/${file}`, test: 'test/gabp/apps.test.ts', from, to, fails }); // prettier-ignore
const confirmed = at('gabp/confirmations.ts', 'a changed one is asked anew');
const effects = at('gabp/tool-list.ts', 'asked about as what they are');
const called = at('gabp/tool-call.ts', 'says something else of itself while the person decides');
const seen = at('gabp/attention.ts', 'not called until the agent confirms that');
const gate = at('gabp/tool-call.ts', 'not called until the agent confirms that');
const replaced = (name, from, to) => ({ name, file: 'src/main/gabp/index.ts', test: 'test/gabp/replaced-program.test.ts', from, to, fails: 'is replaced while its card is open' }); // prettier-ignore
const starting = at('serve/admin.ts', 'an agent starts no application');
const files = at('gabp/tool-call.ts', 'a grant covers the application');
const resource = (name, from, to) => ({ name, file: 'src/main/gabp/app-tools.ts', test: 'test/gabp/resources.test.ts', from, to, fails: 'HTTP, 2025-11-25: each read is asked for' }); // prettier-ignore

const told = (name, from, to) => ({ name, file: 'src/main/gabp/app.ts', test: 'test/gabp/resources.test.ts', from, to, fails: 'in no other’s list' }); // prettier-ignore

// prettier-ignore
export const GABP = [
  replaced('application-replaced-while-asked', '      await assertSameCode(entry, code, options.env);\n', ''),
  told('resources-of-an-application-told-to-another', 'told.get(agentId) ?? []', '[...told.values()].flat()'),
  resource('resource-of-an-application-unasked', "app.entry.effects[method] ?? 'input'", "app.entry.effects[method] ?? 'read'"),
  confirmed('changed-application-entry-counts-as-confirmed', 'confirmed.get(name)?.entry === entryDigest(name, entry)', 'confirmed.has(name)'),
  effects('destructive-application-tool-is-like-any', "isDangerous(tags, annotations) ? 'dangerous' : 'input'", "'input'"),
  called('application-tool-that-became-another-is-called', 'digest === tool.digest && ', ''),
  seen('attention-of-an-application-blocks-nothing', 'if (attention === null || ', 'if (attention !== undefined || '),
  gate('application-is-called-while-it-wants-something-seen', '  if (attention !== null) throw attentionError(app.name, attention);\n', ''),
  starting('agent-starts-an-application', 'if (asking.doubt !== null) throw onlyPerson(asking.doubt);', ''),
  files('application-is-given-own-files', '  assertNoOwnFile(given);\n', ''),
];
