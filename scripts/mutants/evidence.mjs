/** Faults in the record: lines that come too late, or never. */

const at = (file, test) => (name, from, to, fails) => ({ name, file: `src/main/evidence/${file}`, test: `test/evidence/${test}`, from, to, fails }); // prettier-ignore
const writer = at('evidence-writer.ts', 'groups.test.ts');
const kept = (file) => at(file, 'kept-folders.test.ts');
const point = (file) => at(file, 'long-record.test.ts');
const queue = at('line-queue.ts', 'groups.test.ts');

// prettier-ignore
export const EVIDENCE = [
  writer('disclosed-before-its-line', "new Set(['read', 'bookkeeping'])", "new Set(['read', 'bookkeeping', 'disclose'])", 'of disclose is on disk before its answer'),
  writer('unwritten-reads-called-complete', ' && audit.isWritable()', '', 'are written with the next one'),
  writer('unlisted-disclosure-answered', 'made?.isListed() === false', 'false', 'is not to be answered while the log has no line of it'),
  kept('workspace.ts')('moved-workspace-trusted', 'await folder.assertUnmoved();', '', 'a workspace that was moved is refused'),
  kept('workspace.ts')('linked-workspace-kept', 'workspace.path === path && ', '', 'a path that leads through a link is looked at each time'),
  kept('workspace.ts')('linked-root-kept', ' && (await realpath(root)) === root', '', 'a root that is a link is looked at each time'),
  kept('kept-folders.ts')('kept-folders-never-closed', 'if (entry.users === 0) entry.closing', 'if (entry.users < 0) entry.closing', 'is opened once for many calls, and closed with the recorder'),
  queue('delayed-lines-forgotten', 'queue = queue.filter(({ deferred }) => deferred && !finishing);', 'queue = [];', 'are written with the next one'),
  queue('delayed-lines-never-given-up', '!deferred || finishing', '!deferred', 'are said to be lost when the recorder closes'),
  point('checkpoint.ts')('last-line-not-looked-at', '(await endsWithItsLine(logPath(stateDir), read.data))', 'true', 'whose last line before the checkpoint was exchanged'),
  point('sealed-file.ts')('forged-file-read', 'isSame(text.slice(0, split), codeOf(held, name, body))', 'true', 'a call was taken out of'),
  point('recorder.ts')('begins-before-the-record-is-read', 'await opened.catch(throwNotStarted);', '', 'no call begins before'),
  point('open-record.ts')('unchanged-before-checked', "else if (from.bytes === 0) integrity", "else integrity", 'called unchanged only when all of it was checked'),
  point('open-record.ts')('earlier-lines-not-checked', 'if (from.bytes > 0)', 'if (from.bytes < 0)', 'changed before its checkpoint'),
  point('background-check.ts')('beginning-left-out', 'if (begin.lines > 0)', 'if (begin.lines < 0)', 'and from the beginning up to there'),
];
