const at = (file, test) => (name, from, to, fails) => ({ name: `page-${name}`, file, test, from, to, fails });
const address = at('src/main/tools/applications/open-url.ts', 'test/tools/applications/web-address.test.ts');
const tool = at('src/main/tools/applications/open-url.ts', 'test/adversary/must-ask.test.ts');
const browsers = at('src/main/tools/applications/open-url.ts', 'test/e2e/open-url.test.ts');
const masked = at('src/main/pipeline/masked.ts', 'test/e2e/open-url.test.ts');
const unit = (file) => at(`src/main/approvals/${file}`, 'test/approvals/open-pages.test.ts');
const grants = unit('grants.ts');
const choices = unit('choices.ts');
const scope = unit('tasks.ts');
const approver = at('src/main/host/own/approver.ts', 'test/adversary/own-desktop.test.ts');
const started = at('src/main/host/own/approver.ts', 'test/host/own-started.test.ts');

// prettier-ignore
export const PAGES = [
  address('of-any-scheme', "  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw refused('scheme');\n", '', 'is no web page'),
  address('with-a-login', "  if (url.username !== '' || url.password !== '' || /^https?:\\/\\/[^/?#]*@/i.test(given)) throw refused('login');\n", '', 'holds a login'),
  address('with-doubtful-signs', "  if (DOUBTFUL.test(given)) throw refused('signs');\n", '', 'is refused wherever it stands'),
  address('of-any-length', "  if (given.length > MAX_ADDRESS_CHARS) throw refused('length');\n", '', 'a very long one is refused'),
  address('that-deletes', "return kind !== null && kind !== 'buy';", 'return false;', 'names what is done'),
  tool('that-deletes-unasked', 'alwaysAsk: word !== null,', 'alwaysAsk: false,', 'opening a page there that deletes'),
  tool('on-any-site-alike', 'site: address.origin,\n    opens', "site: new URL(`http://127.0.0.1:${address.port}`).origin,\n    opens", 'opening a page of another site'),
  browsers('in-any-program', 'return found.installed && isPlainBrowser(found) ? found : null;', 'return found;', 'is refused, and nobody is asked'),
  browsers('tells-of-another-site', "return { showing: shows(window, origin) ? 'site' : 'other_site', window };", "return { showing: 'site', window };", 'leads to another site'),
  masked('of-chaperone', 'if (options.address !== undefined && mask.protection.hidesDocument(0, options.address)) throw hiddenError();', '', 'own page is not opened'),
  grants('opened-by-another', 'agent.id === agentId && appId === id', 'appId === id', 'that is given before the browser runs'),
  grants('opened-as-another', 'agent.id === agentId && appId === id', 'agent.id === agentId', 'that is given before the browser runs'),
  grants('opened-again', ' && appProgram === UNKNOWN_YET', '', 'that is given before the browser runs'),
  choices('covers-before-it-runs', "if (asked.app.program === '' || grant.appProgram", 'if (grant.appProgram', 'that is given before the browser runs'),
  choices('always-before-it-runs', "app.program === '' || agent.executable", 'agent.executable', 'that is given before the browser runs'),
  choices('offered-for-any-program', "if (asked.app.program === '' && (asked.opens === undefined || asked.origin === null)) return null;", '', 'is offered for no application'),
  scope('of-a-task-anywhere', 'origin !== null && sites.includes(origin) && (effect', '(effect', 'covers opening its sites'),
  scope('told-under-clicks', " && (effect !== 'disclose' || effects.includes('see'))", '', 'of clicks alone'),
  approver('own-entries', "  if (!files.every(({ path }) => placeOf(path, places) === 'system')) return false;\n", '', 'an entry of a browser in the agent’s own home'),
  started('taken-over', ' && !ran.has(keyOf(launched.app))', '', 'a process that ran before is not'),
  started('among-others', 'ofIt?.every((one) => this.#isOwn(one)) === true', 'ofIt !== undefined', 'a browser is only what was started here'),
];
