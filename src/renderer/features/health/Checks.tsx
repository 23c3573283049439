/** The host's last check of this machine, its record and its folders. */
import type { ReactNode } from 'react';
import type { AnswerTo, Status } from '../../../main/protocol/index.js';
import { textIfKnown, say, t } from '../../strings.js';
import { CopyLine } from '../../ui/CopyLine.js';
import { FactRow } from '../../ui/FactRow.js';
import { HealthRow } from './HealthRow.js';
import { RevealedText } from '../../ui/RevealedText.js';
import { SentenceText } from '../../ui/SentenceText.js';
import { Region } from '../../ui/Region.js';

export type HealthCheck = AnswerTo<'check'>;

/** `children`: more rows. */
export function MachineChecks({
  findings,
  children,
}: {
  findings: HealthCheck['findings'];
  children: ReactNode;
}): ReactNode {
  return (
    <Region id="machine" heading={t('page.health.machine')}>
      <ul className="list">
        {findings.map(({ name, ok, seen, fix, command }) => (
          <HealthRow
            key={name}
            title={textIfKnown(`page.health.machine_names.${name.replaceAll(' ', '_')}`) ?? name}
            text={say(seen)}
            level={!ok ? 'bad' : fix === null ? 'good' : 'none'}
            status={ok ? t('page.health.works') : t('page.health.lacks')}
          >
            {fix === null ? null : (
              <div className="fix">
                <p>
                  <SentenceText text={say(fix)} />
                </p>
                {command === null ? null : <CopyLine text={command} />}
              </div>
            )}
          </HealthRow>
        ))}
        {children}
      </ul>
    </Region>
  );
}

interface RecordProps {
  /** What the host has seen since it started. */
  status: Status;
  /** null: not looked through since. */
  record: HealthCheck['record'];
}

export function RecordRow({ status, record }: RecordProps): ReactNode {
  const { recordVerified: verified, recordChecking: percent } = status;
  if (record === null && percent !== undefined)
    return (
      <HealthRow
        title={t('page.health.record')}
        text={t('page.health.record_checking', { percent })}
        level="none"
        status={t('page.settings.record_checking')}
      />
    );
  const good = record === null ? verified : record.ok;
  return (
    <HealthRow
      title={t('page.health.record')}
      text={record === null ? t('page.health.record_quick') : recordText(record)}
      level={good ? 'good' : 'bad'}
      status={good ? t('page.settings.record_ok') : t('page.settings.record_bad')}
    >
      {record === null || record.problems.length + record.notes.length === 0 ? null : (
        <div className="fix">
          <ul className="plain small">
            {[...record.problems, ...record.notes].map((one, index) => (
              <li key={index}>
                <RevealedText text={say(one)} />
              </li>
            ))}
          </ul>
          {record.problemCount <= record.problems.length ? null : (
            <>
              <p>{t('page.health.record_more', { more: record.problemCount - record.problems.length })}</p>
              <CopyLine text="chaperone evidence verify" />
            </>
          )}
        </div>
      )}
    </HealthRow>
  );
}

function recordText({ ok, lines, problemCount }: NonNullable<HealthCheck['record']>): string {
  const judged = ok
    ? t('page.health.record_lines', { lines })
    : t('page.health.record_faults', { faults: problemCount, lines });
  return `${judged} ${t('page.health.not_vouched')}`;
}

export function FolderList({ places }: { places: HealthCheck['places'] }): ReactNode {
  return (
    <Region id="places" heading={t('page.health.places')}>
      <div className="panel panel-b">
        <dl className="kv">
          {places.map(({ name, path }) => (
            <FactRow key={name} name={t(`page.health.place_names.${name}`)} text={path} variant="mono" />
          ))}
        </dl>
      </div>
    </Region>
  );
}
