/** The tests of requests, by the start of their titles. */
const REQUESTS = [
  'gives what',
  'tells applications',
  'takes no Allow',
  'is edited only',
  'offers no browser',
  'is answered',
  'is refused where',
];
const testOf = (fails) => (REQUESTS.some((start) => fails.startsWith(start)) ? 'task-requests' : 'tasks');
const at = (file) => (name, from, to, fails) => ({ name: `task-${name}`, file: `src/main/approvals/${file}`, test: `test/approvals/${testOf(fails)}.test.ts`, from, to, fails }); // prettier-ignore
const scope = at('tasks.ts');
const store = at('tasks.ts');
const control = at('task-control.ts');
const halt = at('control.ts');
const answer = at('answer.ts');
const decide = at('decide.ts');
const facts = at('request-facts.ts');
const shown = at('digest.ts');
const open = at('open-card.ts');

// prettier-ignore
export const TASKS = [
  scope('covers-what-is-always-asked', "if (asked.alwaysAsk || asked.effect === 'dangerous'", "if (asked.effect === 'dangerous'", 'by itself, whoever asks'),
  scope('covers-any-site', 'if (browser && (origin === null || !scope.sites.includes(origin))) return false;', '', 'asks as usual outside it'),
  scope('covers-terminals', 'if (app === null || does === undefined || isNeverInTasks(app)) return false;', 'if (app === null || does === undefined) return false;', 'never covers terminals'),
  scope('covers-every-act', 'if (!does.every((one) => scope.effects.includes(one))) return false;', '', 'holds only what it names of seeing'),
  scope('opens-any-application', 'return apps.some(({ id }) => id === opens.id);', 'return apps.length > 0;', 'is no other one: opening asks'),
  scope('opens-where-it-only-looks', "|| effects.every((one) => one === 'see')", '', 'is no other one: opening asks'),
  { name: 'task-gives-files-to-sites', file: 'src/main/approvals/tasks.ts', test: 'test/approvals/sequences.test.ts', from: 'scope.folder === undefined || browser ? {}', to: 'scope.folder === undefined ? {}', fails: 'asks for a file of a browser' },
  { name: 'task-takes-the-home-folder', file: 'src/main/approvals/task-control.ts', test: 'test/approvals/sequences.test.ts', from: 'folderOf(caller.agent, workspace)', to: 'workspace', fails: 'is covered by a desktop of the agent’s own and by a task' },
  scope('binds-again', 'one.program === null && one.id === app.id', 'one.id === app.id', 'covered from when this agent has started it'),
  scope('edited-to-any-site', '|| !edit.sites.every((site) => asked.sites.includes(site))', '', 'is edited only to what was asked for or offered'),
  scope('offers-terminals', '!isNeverInTasks(app) && !isBrowser(app)', '!isBrowser(app)', 'is edited only to what was asked for or offered'),
  store('for-another-process', 'parts.every((part) => agent[part] === other[part])', 'agent.executable === other.executable', 'is for one process'),
  store('without-time', 'clock.read() < endOf(task) && isRunning(task.agent)', 'isRunning(task.agent)', 'by time, by the agent'),
  store('outlives-its-agent', 'clock.read() < endOf(task) && isRunning(task.agent)', 'clock.read() < endOf(task)', 'when its agent quits'),
  store('without-count', 'if (task === undefined || leftOf(task) < acts) return false;', 'if (task === undefined) return false;', 'counts each act of it'),
  store('counts-a-plan-as-one', '({ ...one, used: one.used + acts })', '({ ...one, used: one.used + 1 })', 'counts each act of it'),
  store('ends-under-its-last-act', 'if (task === undefined || leftOf(task) < acts) return false;', 'if (task === undefined || leftOf(task) < acts) return false;\n      if (leftOf(task) === acts) return drop((one) => one.id === id);', 'by count'),
  store('opened-by-another', 'const task = running().find(({ agent }) => agent.id === agentId);\n      if (task !== undefined && app', 'const task = running()[0];\n      if (task !== undefined && app', 'covered from when this agent has started it'),
  store('opened-by-whom-nobody-knows', "if (task !== undefined && app.program !== '')", 'if (task !== undefined)', 'covered from when this agent has started it'),
  store('keeps-the-one-before', '...kept.filter((one) => one.agent.id !== agent.id)', '...kept', 'when another one of the same agent starts'),
  control('by-whatever-decision', "decision.kind === 'allowed' && decision.by === 'person' ? decision.task : undefined", "decision.kind === 'allowed' ? (decision.task ?? { apps: [{ id: 'a', name: 'A' }], sites: [], effects: ['see'], minutes: 1, acts: 1 }) : undefined", 'is answered once'),
  control('for-whom-nobody-knows', 'if (!isKnownProgram(agent) || agent.demo === true)', 'if (agent.demo === true)', 'is not started for an agent that the system does not name'),
  control('for-the-demo', 'if (!isKnownProgram(agent) || agent.demo === true)', 'if (!isKnownProgram(agent))', 'is not started for an agent that the system does not name'),
  control('edited-unseen', 'if (digest !== entry.card.digest || task === undefined)', 'if (task === undefined)', 'is edited only to what was asked for or offered'),
  control('offers-what-is-excluded', '!isExcludedApp(rules.policy.excludedApps, app)', 'true', 'offers no browser'),
  halt('outlives-a-stop', '    tasks.endWhere(({ id }) => agentId === null || pauses.isSame(id, agentId));\n', '', 'by time, by the agent'),
  halt('outlives-a-policy', 'if (!policy.grants) tasks.endWhere(() => true);', '', 'by time, by the agent'),
  halt('outlives-its-connection', 'tasks.endWhere((agent) => agent.via !== undefined && agent.startTime === startTime);', '', 'with the connection of a program'),
  answer('allowed-on-the-page', "const lasts = grant !== 'once' || card.task !== undefined;", "const lasts = grant !== 'once';", 'is answered in the popover'),
  answer('allowed-without-grants', 'if (card.task !== undefined && !parts.rules.policy.grants)', 'if (false)', 'is refused where the policy allows no grants'),
  answer('as-it-was-asked', '{ task: card.task.scope }', '{ task: card.task.asked }', 'gives what the person made of it'),
  decide('goes-on-after-it-ended', '!(grants.live(grantId) || tasks.live(grantId))', 'false', 'by time, by the agent'),
  facts('keys-are-clicks', "if (kind === 'keys' || kind === 'text' || kind === 'write') return ['type'];", '', 'holds only what it names of seeing'),
  shown('edited-under-the-same-digest', 'arguments: card.arguments, steps, task, plain };', 'arguments: card.arguments, steps, plain };', 'tells applications of one name apart'),
  open('edited-and-pressed-at-once', ', shownAt: at });', ' });', 'takes no Allow right after it was edited'),
  {
    name: 'task-keys-go-on-at-another-site',
    file: 'src/main/pipeline/act-checks.ts',
    from: '    assertSameSite(plan, window);\n',
    to: '',
    test: 'test/e2e/tasks.test.ts',
    fails: 'stops at the next key',
  },
  {
    name: 'task-names-a-terminal',
    file: 'src/main/tools/tasks/index.ts',
    from: "if (isNeverInTasks(app)) throw leftOut(message('error.task_app_never', { app: app.name }));",
    to: '',
    test: 'test/e2e/tasks.test.ts',
    fails: 'names what runs',
  },
];
