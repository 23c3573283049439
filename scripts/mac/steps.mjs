import { existsSync, readFileSync, readdirSync, renameSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as later } from 'node:timers/promises';
import { Stop } from '../lib/run.mjs';
import { grants } from './grants.mjs';

const TABLE = /^chaperone-self-test-[\d-]+\.md$/;
/** Of `doctor --self-test`: nothing was wrong; nothing was wrong, but not everything was run. */
const NO_FAULT = [0, 4];
const APP = ['dist/package/mac/Chaperone.app', 'dist/package/mac-arm64/Chaperone.app'];
const PRESS_START =
  'tell application "System Events" to click (first button of (first window of (first process whose name is "Chaperone")) whose name is "Start")';
const LOOKS = 60;

/** What a table lacks to be one: a row for each member, and one that was really run. */
export function problemsOf(table, members) {
  const rows = table.split('\n').flatMap((line) => [...line.matchAll(/^\| (\w+) \| (\w+) \|/g)]);
  const results = new Map(rows.map(([, member, result]) => [member, result]));
  const missing = members.filter((member) => !results.has(member));
  const ran = [...results.values()].includes('right');
  return [...missing.map((member) => `no row for ${member}`), ...(ran ? [] : ['no row is right'])];
}

/** A row for each test of vitest's report in JSON, and what speaks against it. */
export function judgeReport({ testResults = [] }) {
  const results = testResults.flatMap(({ assertionResults = [] }) => assertionResults);
  const rows = results.map(({ fullName, status, failureMessages: [why = ''] = [] }) =>
    [fullName, status, why.split('\n')[0]].map((cell) => cell.replaceAll('|', '\\|')),
  );
  const failed = results.filter(({ status }) => status === 'failed').map(({ fullName }) => `failed: ${fullName}`);
  const ran = results.some(({ status }) => status === 'passed');
  const table = ['| test | result | why |', '| --- | --- | --- |', ...rows.map((row) => `| ${row.join(' | ')} |`), ''];
  return { table: table.join('\n'), problems: [...failed, ...(ran ? [] : ['no test passed'])] };
}

/** `everyMs` is shortened by tests. */
export function createSteps({ run, members, version, folder, everyMs = 1000 }) {
  const capture = { capture: true, cwd: folder };

  /** The table keeps a name of its own, for the artifacts. */
  function judge(name, { code, output }) {
    console.log(output);
    const file = readdirSync(folder).find((each) => TABLE.test(each));
    if (file === undefined) throw new Stop(`${name}: ended with ${code} and saved no table.`);
    const kept = join(folder, `self-test-${name}.md`);
    renameSync(join(folder, file), kept);
    const table = readFileSync(kept, 'utf8');
    console.log(table);
    const problems = problemsOf(table, members);
    if (!NO_FAULT.includes(code)) problems.push(`ended with ${code}`);
    if (problems.length > 0) throw new Stop(`${name}: ${problems.join(', ')}.`);
  }

  function appPath() {
    const found = APP.map((path) => join(folder, path)).find((path) => existsSync(path));
    if (found === undefined) throw new Stop('There is no packaged app: npm run package -- --dir --unsigned');
    return found;
  }

  async function grant() {
    for (const { file, sql, admin } of grants('dev.chaperone.app', homedir())) {
      const { code, output } = await run(
        ...(admin ? ['sudo', ['sqlite3', file, sql]] : ['sqlite3', [file, sql]]),
        capture,
      );
      if (code !== 0) throw new Stop(`The app could not be given its permissions: ${output}`);
    }
  }

  /** The condition is looked at until it is there; what was seen last is told where it never comes. */
  async function until(what, look, isOver = () => false) {
    let seen = '';
    for (let looks = 0; looks < LOOKS && !isOver(); looks++) {
      const { code, output } = await look();
      if (code === 0) return output;
      seen = output;
      await later(everyMs);
    }
    throw new Stop(`${what}: ${seen}`);
  }

  return {
    /** The suite that every backend passes, on the libraries of this Mac and an application that is compiled here. */
    async contract() {
      const program = join(folder, 'appkit-fixture');
      const source = join(folder, 'test/support/apps/appkit-fixture.m');
      const compiled = await run('clang', ['-framework', 'AppKit', '-o', program, source], capture);
      if (compiled.code !== 0) throw new Stop(`The application could not be compiled: ${compiled.output}`);
      const file = join(folder, 'contract.json');
      const args = [
        'run',
        'test/contract/real-macos.test.ts',
        '--reporter=default',
        '--reporter=json',
        `--outputFile.json=${file}`,
      ];
      const env = { ...process.env, CHAPERONE_APPKIT_FIXTURE: program };
      const { code } = await run(process.execPath, [join(folder, 'node_modules/vitest/vitest.mjs'), ...args], {
        cwd: folder,
        env,
      });
      if (!existsSync(file)) throw new Stop(`contract: ended with ${code} and left no report.`);
      const { table, problems } = judgeReport(JSON.parse(readFileSync(file, 'utf8')));
      writeFileSync(join(folder, 'contract.md'), table);
      console.log(table);
      if (code !== 0) problems.push(`ended with ${code}`);
      if (problems.length > 0) throw new Stop(`contract: ${problems.join(', ')}.`);
    },
    async 'self-test'() {
      judge('shell', await run(process.execPath, ['dist/main/cli/index.js', 'doctor', '--self-test'], capture));
    },
    async app() {
      const program = join(appPath(), 'Contents/MacOS/Chaperone');
      const told = await run(program, ['--version'], capture);
      if (told.code !== 0 || told.output.trim() !== version)
        throw new Stop(`The app does not start: it ended with ${told.code} and said “${told.output.trim()}”.`);
      await grant();
      let ended = false;
      const testing = run(program, ['doctor', '--self-test'], capture).finally(() => (ended = true));
      const press = () => run('osascript', ['-e', PRESS_START], capture);
      const pressed = until('Start could not be pressed', press, () => ended).catch((error) => error);
      const [answer, failed] = [await testing, await pressed];
      if (failed instanceof Stop) console.error(failed.message);
      judge('app', answer);
    },
    async service() {
      const app = appPath();
      await run('open', ['-g', '-n', app], capture);
      const command = join(app, 'Contents/Resources/bin/chaperone');
      const call = () => run(command, ['call', 'desktop.health', '--service'], capture);
      console.log(await until('The bridge service does not answer', call));
    },
  };
}
