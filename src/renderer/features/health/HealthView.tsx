/** What works on this machine, what does not, and how to fix it. Opening the view triggers no permission prompt. */
import { useEffect, useState, type ReactNode } from 'react';
import { Button } from '../../ui/Button.js';
import { FactRow } from '../../ui/rows.js';
import { FirstStepsLink } from '../setup/FirstSteps.js';
import { HealthRow, Permissions } from './Permissions.js';
import { SentenceText, CopyLine } from '../../ui/commands.js';
import { ViewHeader, Region } from '../../ui/Region.js';
import { clockTime } from '../../ui/formats.js';
import type { Health, Status, AnswerTo } from '../../../main/protocol/index.js';
import { say, t, textIfKnown } from '../../strings.js';
import type { ViewProps } from '../../app/actions.js';
import { RevealedText } from '../../ui/RevealedText.js';

type CheckState = { checked: HealthCheck | null; state: 'idle' | 'checking' | 'failed' };

export function HealthView({ state, actions }: ViewProps): ReactNode {
  const { health, status } = state;
  const online = state.connection === 'open';
  const { checked, state: checkState, again } = useCheck(actions.ask, online);
  const others = health?.issues.filter(({ about }) => about === undefined) ?? [];
  const failedChecks = checked?.findings.filter(({ ok }) => !ok).length ?? 0;
  const count =
    (health?.issues.length ?? 0) + failedChecks + (isRecordGood(status) && checked?.record?.ok !== false ? 0 : 1);
  return (
    <>
      <ViewHeader title={t('page.views.health')}>
        <Button variant="sm" icon="refresh" disabled={!online || checkState === 'checking'} onClick={again}>
          {t('page.health.check')}
        </Button>
      </ViewHeader>
      <p className="small mut" role="status">
        {t('page.health.lead', { count })}
        {t('page.marks.space')}
        {checkState === 'checking' ? t('page.health.checking') : checkState === 'failed' ? t('page.health.failed') : ''}
        {checkState === 'idle' && checked !== null ? t('page.health.checked_at', { time: clockTime(checked.at) }) : ''}
      </p>
      {health?.note == null ? null : <p className="small mut">{say(health.note)}</p>}
      {others.length === 0 ? null : <Issues issues={others} />}
      {health === null ? null : <Permissions health={health} state={state} actions={actions} />}
      <MachineChecks findings={checked?.findings ?? []}>
        <RecordRow status={status} record={checked?.record ?? null} />
      </MachineChecks>
      {checked === null ? null : <FolderList places={checked.places} />}
      {health === null ? null : <About health={health} />}
      {state.popover === 'here' ? null : <Licences />}
      <FirstStepsLink />
    </>
  );
}

/** Nothing is known against it. */
const isRecordGood = ({ recordVerified, recordChecking }: Status) => recordVerified || recordChecking !== undefined;

/** Checks without the record when the view opens, and with it when the person asks. */
function useCheck(ask: ViewProps['actions']['ask'], online: boolean): CheckState & { again(): void } {
  const [check, setCheck] = useState<CheckState>({ checked: null, state: 'idle' });
  const run = (record: boolean) => {
    setCheck(({ checked }) => ({ checked, state: 'checking' }));
    ask('check', { record }).then(
      (checked) => setCheck({ checked, state: 'idle' }),
      () => setCheck(({ checked }) => ({ checked, state: 'failed' })),
    );
  };
  useEffect(() => {
    if (online) run(false);
  }, [online]);
  return { ...check, again: () => run(true) };
}

function Issues({ issues }: { issues: Health['issues'] }): ReactNode {
  return (
    <Region id="issues" heading={t('page.health.issues')}>
      <ul className="list">
        {issues.map(({ title, fix }) => (
          <HealthRow key={say(title)} title={say(title)} level="warn" status={t('page.health.lacks')}>
            <div className="fix">
              <p>
                <SentenceText text={say(fix)} />
              </p>
            </div>
          </HealthRow>
        ))}
      </ul>
    </Region>
  );
}

/** Not in the popover, which opens no other page. */
function Licences(): ReactNode {
  return (
    <p className="small">
      <a href="./licenses.txt" target="_blank" rel="noopener noreferrer">
        {t('page.health.licences')}
      </a>
    </p>
  );
}

function About({ health }: { health: Health }): ReactNode {
  const { hostVersion, platform, backend, display, screen } = health;
  return (
    <Region id="about" heading={t('page.health.about')}>
      <div className="panel panel-b">
        <dl className="kv">
          <FactRow name={t('page.health.version')} text={hostVersion} />
          <FactRow name={t('page.health.system')} text={platform} />
          <FactRow name={t('page.health.backend')} text={backend} />
          <FactRow
            name={t('page.health.display')}
            text={screen === undefined ? say(display) : `${t(`page.health.screens.${screen}`)} (${say(display)})`}
          />
        </dl>
      </div>
    </Region>
  );
}

// The host's last check of this machine, its record and its folders.

type HealthCheck = AnswerTo<'check'>;

/** `children`: more rows. */
function MachineChecks({ findings, children }: { findings: HealthCheck['findings']; children: ReactNode }): ReactNode {
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

function RecordRow({ status, record }: RecordProps): ReactNode {
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

function FolderList({ places }: { places: HealthCheck['places'] }): ReactNode {
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
