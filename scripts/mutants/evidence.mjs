/** Faults in the record: lines that come too late, or never. */

const at = (file, test) => (name, from, to, fails) => ({ name, file: `src/main/evidence/${file}`, test: `test/evidence/${test}`, from, to, fails }); // prettier-ignore
const writer = at('evidence-writer.ts', 'groups.test.ts');
const line = at('evidence-writer.ts', 'groups.test.ts');
const kept = (file) => at(file, 'kept-folders.test.ts');
const point = (file) => at(file, 'long-record.test.ts');
const check = (file) => at(file, 'index-check.test.ts');
const cache = (file) => at(file, 'record-index.test.ts');
const resume = (file) => at(file, 'verify-resume.test.ts');
const heads = at('audit-head.ts', 'head-key.test.ts');
const images = at('imaging.ts', 'encode.test.ts');
const queue = at('audit-log.ts', 'groups.test.ts');

// prettier-ignore
export const EVIDENCE = [
  heads('unsigned-head-believed', 'headKey?.isNew === true && head.code === undefined', 'head.code === undefined', 'with no code tells that the log was cut off'),
  heads('head-code-of-other-lines', '${count}\\0${hash}', '', 'with the code of before tells'),
  heads('another-keys-head-believed', 'headKey === undefined || isFirst || isSigned(head, headKey.key)', 'headKey === undefined || headKey.isNew || isSigned(head, headKey.key)', 'a code of another key is not of before'),
  images('mask-of-another-time', 'known?.name === name', 'known !== undefined', 'and covers those of its own time only'),
  line('disclosed-before-its-line', "new Set(['read', 'bookkeeping'])", "new Set(['read', 'bookkeeping', 'disclose'])", 'of disclose is on disk before its answer'),
  line('unwritten-reads-called-complete', ' && audit.isWritable()', '', 'are written with the next one'),
  writer('unlisted-disclosure-answered', '!isListed()', 'false', 'is not to be answered while the log has no line of it'),
  kept('execution-folder.ts')('moved-workspace-trusted', 'await folder.assertUnmoved();', '', 'a workspace that was moved is refused'),
  kept('execution-folder.ts')('linked-workspace-kept', 'workspace.path === path && ', '', 'a path that leads through a link is looked at each time'),
  kept('execution-folder.ts')('linked-root-kept', ' && (await realpath(root)) === root', '', 'a root that is a link is looked at each time'),
  kept('open-folder.ts')('kept-folders-never-closed', 'if (entry.users === 0) entry.closing', 'if (entry.users < 0) entry.closing', 'is opened once for many calls, and closed with the recorder'),
  queue('delayed-lines-forgotten', 'queue = queue.filter(({ deferred }) => deferred && !finishing);', 'queue = [];', 'are written with the next one'),
  queue('delayed-lines-never-given-up', '!deferred || finishing', '!deferred', 'are said to be lost when the recorder closes'),
  point('log-lines.ts')('last-line-not-looked-at', 'return endsWithItsLine(logPath(stateDir), place);', 'return true;', 'whose last line before the checkpoint was exchanged'),
  point('sealed-file.ts')('forged-file-read', 'isSame(text.slice(0, split), this.codeOf(name, body))', 'true', 'a call was taken out of'),
  point('recorder.ts')('begins-before-the-record-is-read', 'await opened.catch(throwNotStarted);', '', 'no call begins before'),
  point('open-record.ts')('unchanged-before-checked', "else if (from.bytes === 0) integrity", "else integrity", 'called unchanged only when all of it was checked'),
  point('open-record.ts')('earlier-lines-not-checked', 'if (from.bytes > 0)', 'if (from.bytes < 0)', 'changed before its checkpoint'),
  point('index-build.ts')('calls-of-before-forgotten', 'else if (letter === ABANDONED)', 'else if (letter === undefined)', 'without an index serves calls'),
  point('record-index.ts')('unindexed-called-all', 'if (this.older === null) return { ...found', 'if (this.older !== undefined) return { ...found', 'without an index serves calls'),
  point('index-build.ts')('unindexed-lines-not-checked', 'scan.breaks.length +', '0 * scan.breaks.length +', 'without an index is called changed'),
  point('verify.ts')('beginning-left-out', 'later.from !== null', 'later.from !== null && later.from.point.lines < 0', 'and from the beginning up to there'),
  check('log-pass.ts')('forged-row-passed', 'for (const seq of differing ?? []) this.fault(seq);', '', 'so that a row hides its action'),
  check('log-pass.ts')('hidden-from-search-passed', '!this.tryTo(() => this.db.isSound())', 'false', 'leaves out an action whose words are there'),
  check('index-database.ts')('row-of-no-line-passed', '[`${stored} EXCEPT ${made}`, `${made} EXCEPT ${stored}`]', '[`${made} EXCEPT ${stored}`]', 'by a row of no line'),
  check('index-database.ts')('decision-left-out-passed', '[`${stored} EXCEPT ${made}`, `${made} EXCEPT ${stored}`]', '[`${stored} EXCEPT ${made}`]', 'so that a decision is left out is found'),
  check('index-database.ts')('one-table-compared', 'return TABLES.every((table)', 'return TABLES.some((table)', 'so that a search does not find it'),
  cache('record-index.ts')('rows-without-a-line-kept', 'db.deleteAfter(state.point.seq);', '', 'has neither a row too few nor one too many'),
  cache('index-database.ts')('damage-not-repaired', 'error instanceof Error &&', 'error instanceof Error ||', 'is made anew at once where it turns out to be damaged'),
  cache('recorded-folder.ts')('index-decides-what-is-deleted', 'if (Date.parse(execution.since) !== row.since) return null;', '', 'does not decide what is deleted'),
  resume('log-lines.ts')('other-log-gone-on-in', 'ino !== log.ino || ', '', 'does not go on in a log that was cut off, exchanged'),
  resume('log-pass.ts')('faults-not-found-again', 'breaks.length > 0 || ', '', 'is not kept where something is wrong'),
  resume('verify.ts')('index-never-made-anew', 'progress !== null && isOnlyIndex', 'progress === null && isOnlyIndex', 'has the next start make it anew'),
];
