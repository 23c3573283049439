/** Its place in the record, and whether that still reads as it was written: the files at once, the whole when asked. */
import type { ReactNode } from 'react';
import type { Evidence, EvidenceVerdict } from '../../../main/protocol/index.js';
import type { Ask } from '../../net/questions.js';
import { useCheck, type Check } from './evidence.js';
import { subjectOf } from '../../app/outcomes.js';
import { hrefOf } from '../../app/route.js';
import { say, strings } from '../../strings.js';
import { Title } from '../requests/CardHead.js';
import { Icon, type IconName } from '../../ui/Icon.js';
import { Shown } from '../../ui/Shown.js';

const words = strings.record.evidence;
type Line = NonNullable<Evidence['line']>;

interface Props {
  evidence: Evidence;
  ask: Ask;
  executionId: string;
  online: boolean;
}

export function EvidenceRecord({ evidence, ask, executionId, online }: Props): ReactNode {
  const { check, run } = useCheck(ask, executionId);
  const { line, previous, newest } = evidence;
  const checking = check.state === 'checking';
  return (
    <section className="panel" aria-labelledby="h-record-of">
      <div className="panel-h">
        <h2 id="h-record-of">{words.record}</h2>
        <Standing check={check} evidence={evidence} />
      </div>
      <div className="panel-b">
        <ol className="chain">
          {previous === null ? null : <ChainLine line={previous} />}
          {line === null ? null : (
            <li className="me-l" aria-current="true">
              <b>{words.this}</b>
              <code>{shortHash(line.hash)}</code>
            </li>
          )}
          {newest === null ? null : newest.seq === line?.seq ? (
            <li className="mut">
              <span>{words.isNewest}</span>
            </li>
          ) : (
            <li>
              <span className="trunc mut">{words.newest(newest.seq)}</span>
              <code>{shortHash(newest.hash)}</code>
            </li>
          )}
        </ol>
        <div role="status" className="small">
          {check.state === 'done' ? <Verdict verdict={check.verdict} /> : null}
          {check.state === 'failed' ? (
            <p className="bad">
              <Shown text={check.message} />
            </p>
          ) : null}
        </div>
        <button
          type="button"
          className="btn sm begin"
          aria-disabled={checking || !online || undefined}
          onClick={() => {
            if (!checking && online) run();
          }}
        >
          {checking ? words.checking : words.check}
        </button>
      </div>
    </section>
  );
}

function ChainLine({ line }: { line: Line }): ReactNode {
  const { activity } = line;
  return (
    <li>
      {activity === null ? (
        <span className="trunc bad">{words.lineDamaged}</span>
      ) : (
        <a className="trunc" href={hrefOf({ view: 'evidence', executionId: activity.executionId })}>
          <span className="vh">{words.previous}: </span>
          <Title subject={{ ...subjectOf(activity), app: null }} tool={activity.tool} />
        </a>
      )}
      <code>{shortHash(line.hash)}</code>
    </li>
  );
}

/** Before anyone checks the whole: what the files and the line of this action say. */
function Standing({ check, evidence }: { check: Check; evidence: Evidence }): ReactNode {
  const harmed =
    evidence.lineDamaged || evidence.files.some(({ standing }) => standing !== 'as_written' && standing !== 'too_big');
  const known = check.state === 'done' ? check.verdict.ok : !harmed;
  const [icon, text]: [IconName, string] = known
    ? ['shield', check.state === 'done' ? words.verified : words.filesOk]
    : ['alert', words.broken];
  if (known && check.state !== 'done' && evidence.files.length === 0) return null;
  return (
    <span className={`end out ${known ? 'ok' : 'bad'}`}>
      <Icon name={icon} />
      {text}
    </span>
  );
}

function Verdict({ verdict }: { verdict: EvidenceVerdict }): ReactNode {
  const { ok, own, record, recordFaults, lines } = verdict;
  return (
    <>
      <p className={ok ? 'mut' : 'bad'}>{ok ? words.checkedOk(lines) : words.checkedBad}</p>
      {ok ? null : (
        <ul className="faults">
          {[...own, ...record].map((fault, index) => (
            <li key={index}>
              <Shown text={say(fault)} />
            </li>
          ))}
          {recordFaults > record.length ? <li>{words.moreFaults(recordFaults - record.length)}</li> : null}
        </ul>
      )}
      <p className="mut">{words.noKey}</p>
    </>
  );
}

function shortHash(hash: string): string {
  return hash.length <= 9 ? hash : `${hash.slice(0, 4)}…${hash.slice(-4)}`;
}
