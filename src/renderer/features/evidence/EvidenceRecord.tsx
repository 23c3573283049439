/** The action's line in the record and whether it is unchanged: files are checked at once, the whole record on request. */
import { useState, type ReactNode } from 'react';
import type { Evidence, EvidenceVerdict } from '../../../main/protocol/index.js';
import type { Ask } from '../../net/host-questions.js';
import { useVerification } from './load-evidence.js';
import { hrefOf } from '../../app/route.js';
import { say, t } from '../../strings.js';
import { TitleText } from '../requests/CardHead.js';
import { Button } from '../../ui/Button.js';
import { Icon, type IconName } from '../../ui/Icon.js';
import { RevealedText } from '../../ui/RevealedText.js';
import { isDone } from '../../app/actions.js';
import { Panel } from '../../ui/Region.js';
import { valueOf } from '../../ui/loaded.js';

interface Props {
  evidence: Evidence;
  ask: Ask;
  executionId: string;
  online: boolean;
}

export function EvidenceRecord({ evidence, ask, executionId, online }: Props): ReactNode {
  const [attempt, setAttempt] = useState(0);
  const check = useVerification(ask, executionId, attempt);
  const checking = check?.state === 'loading';
  const verdict = valueOf(check);
  return (
    <Panel
      id="record-of"
      heading={t('page.evidence.record')}
      end={<RecordState verdict={verdict} evidence={evidence} />}
    >
      <Chain evidence={evidence} />
      <div role="status" className="small">
        {verdict === null ? null : <Verdict verdict={verdict} />}
        {check?.state === 'failed' ? (
          <p className="bad">
            <RevealedText text={check.message} />
          </p>
        ) : null}
      </div>
      <Button variant="sm begin" disabled={checking || !online} onClick={() => setAttempt(attempt + 1)}>
        {checking ? t('page.evidence.checking') : t('page.evidence.check')}
      </Button>
    </Panel>
  );
}

/** This line of the record, between the one before it and the newest. */
function Chain({ evidence }: { evidence: Evidence }): ReactNode {
  const { line, previous, newest } = evidence;
  return (
    <ol className="chain">
      {previous === null ? null : <ChainLine line={previous} />}
      {line === null ? null : (
        <li className="this-line" aria-current="true">
          <b>{t('page.evidence.this')}</b>
          <code>{shortHash(line.hash)}</code>
        </li>
      )}
      {newest === null ? null : newest.seq === line?.seq ? (
        <li className="mut">
          <span>{t('page.evidence.is_newest')}</span>
        </li>
      ) : (
        <li>
          <span className="trunc mut">{t('page.evidence.newest', { count: newest.seq })}</span>
          <code>{shortHash(newest.hash)}</code>
        </li>
      )}
    </ol>
  );
}

function ChainLine({ line }: { line: NonNullable<Evidence['line']> }): ReactNode {
  const { activity } = line;
  return (
    <li>
      {activity === null ? (
        <span className="trunc bad">{t('page.evidence.line_damaged')}</span>
      ) : (
        <a className="trunc" href={hrefOf({ view: 'evidence', executionId: activity.executionId })}>
          <span className="vh">{t('page.evidence.previous')}: </span>
          <TitleText subject={activity.subject} past={isDone(activity)} here />
        </a>
      )}
      <code>{shortHash(line.hash)}</code>
    </li>
  );
}

/** Until the whole record is checked, judged by the files and the line of this action. */
function RecordState({ verdict, evidence }: { verdict: EvidenceVerdict | null; evidence: Evidence }): ReactNode {
  const damaged =
    evidence.lineDamaged ||
    evidence.files.some(({ fileState }) => fileState !== 'as_written' && fileState !== 'too_big');
  const known = verdict?.ok ?? !damaged;
  const [icon, text]: [IconName, string] = known
    ? ['shield', t(verdict === null ? 'page.evidence.files_ok' : 'page.evidence.verified')]
    : ['alert', t('page.evidence.broken')];
  if (known && verdict === null && evidence.files.length === 0) return null;
  return (
    <span className={`end out ${known ? 'ok' : 'bad'}`}>
      <Icon name={icon} />
      {text}
    </span>
  );
}

function Verdict({ verdict }: { verdict: EvidenceVerdict }): ReactNode {
  const { ok, problems, recordProblems, recordProblemCount, lines } = verdict;
  return (
    <>
      <p className={ok ? 'mut' : 'bad'}>
        {ok ? t('page.evidence.checked_ok', { lines }) : t('page.evidence.checked_bad')}
      </p>
      {ok ? null : (
        <ul className="faults">
          {[...problems, ...recordProblems].map((problem, index) => (
            <li key={index}>
              <RevealedText text={say(problem)} />
            </li>
          ))}
          {recordProblemCount > recordProblems.length ? (
            <li>{t('page.evidence.more_faults', { count: recordProblemCount - recordProblems.length })}</li>
          ) : null}
        </ul>
      )}
      <p className="mut">{t('page.evidence.no_key')}</p>
    </>
  );
}

function shortHash(hash: string): string {
  return hash.length <= 9 ? hash : `${hash.slice(0, 4)}…${hash.slice(-4)}`;
}
