/** What the host found of this machine, its record and its folders, when it was last asked. */
import type { ReactNode } from 'react';
import type { AnswerTo } from '../../../main/protocol/index.js';
import { say, strings } from '../../strings.js';
import { CopyLine } from '../../ui/CopyLine.js';
import { HealthRow } from './HealthRow.js';
import { Shown } from '../../ui/Shown.js';

const words = strings.desk.health;
export type Checked = AnswerTo<'check'>;

/** `children`: more rows. */
export function Machine({ findings, children }: { findings: Checked['findings']; children: ReactNode }): ReactNode {
  const names: Record<string, string | undefined> = { ...words.machineNames };
  return (
    <section className="region" aria-labelledby="h-machine">
      <div className="region-h">
        <h2 id="h-machine">{words.machine}</h2>
      </div>
      <ul className="list">
        {findings.map(({ name, ok, seen, fix, command }) => (
          <HealthRow
            key={name}
            title={names[name] ?? name}
            text={say(seen)}
            standing={!ok ? 'bad' : fix === null ? 'good' : 'none'}
            says={ok ? words.works : words.lacks}
          >
            {fix === null ? null : (
              <div className="mend">
                <p>
                  <Shown text={say(fix)} />
                </p>
                {command === null ? null : <CopyLine text={command} />}
              </div>
            )}
          </HealthRow>
        ))}
        {children}
      </ul>
    </section>
  );
}

interface RecordProps {
  /** What was seen when the host started. */
  verified: boolean;
  /** null: not looked through since. */
  record: Checked['record'];
}

export function RecordRow({ verified, record }: RecordProps): ReactNode {
  const good = record === null ? verified : record.ok;
  return (
    <HealthRow
      title={words.record}
      text={record === null ? words.recordQuick : inWords(record)}
      standing={good ? 'good' : 'bad'}
      says={good ? strings.settings.recordOk : strings.settings.recordBad}
    >
      {record === null || record.problems.length + record.notes.length === 0 ? null : (
        <div className="mend">
          <ul className="plain small">
            {[...record.problems, ...record.notes].map((one, index) => (
              <li key={index}>
                <Shown text={say(one)} />
              </li>
            ))}
          </ul>
          {record.faults <= record.problems.length ? null : (
            <>
              <p>{words.recordMore(record.faults - record.problems.length)}</p>
              <CopyLine text="chaperone evidence verify" />
            </>
          )}
        </div>
      )}
    </HealthRow>
  );
}

function inWords({ ok, lines, faults }: NonNullable<Checked['record']>): string {
  const judged = ok ? words.recordLines(lines) : words.recordFaults(faults, lines);
  return `${judged} ${words.notVouched}`;
}

export function Places({ places }: { places: Checked['places'] }): ReactNode {
  return (
    <section className="region" aria-labelledby="h-places">
      <div className="region-h">
        <h2 id="h-places">{words.places}</h2>
      </div>
      <div className="panel panel-b">
        <dl className="kv">
          {places.map(({ name, path }) => (
            <Pair key={name} name={words.placeNames[name]} value={path} mono />
          ))}
        </dl>
      </div>
    </section>
  );
}

export function Pair({ name, value, mono = false }: { name: string; value: string; mono?: boolean }): ReactNode {
  return (
    <>
      <dt>{name}</dt>
      <dd className={mono ? 'mono' : undefined}>
        <Shown text={value} />
      </dd>
    </>
  );
}
