/** The request as it was approved, and the files of the evidence. */
import { useState, type ReactNode } from 'react';
import type { Evidence } from '../../../main/protocol/index.js';
import { fromRecord } from '../../../messages/index.js';
import type { ShownPlan } from './elements.js';
import { fileSize } from '../../ui/file-size.js';
import { say, t } from '../../strings.js';
import { ArgumentRow } from '../../ui/ArgumentRows.js';
import { CopyLine } from '../../ui/CopyLine.js';
import { FoldButton } from '../../ui/FoldButton.js';
import { Panel } from '../../ui/Region.js';

export function EvidenceRequest({ evidence, plan }: { evidence: Evidence; plan: ShownPlan | null }): ReactNode {
  const [open, setOpen] = useState(false);
  const { tool, requestId, requestDigest, protocol, workspace, activity } = evidence;
  const facts: [string, string | null | undefined][] = [
    [t('page.evidence.request_rows.tool'), tool],
    [t('page.evidence.request_rows.text'), plan?.text],
    [t('page.evidence.target'), activity?.subject.target],
    [t('page.evidence.request_rows.app'), activity?.subject.app],
    [t('page.evidence.request_rows.window'), plan?.window?.title],
    ...(plan?.notes ?? []).map((note): [string, string] => [
      t('page.evidence.request_rows.note'),
      say(fromRecord(note)),
    ]),
    [t('page.evidence.request_rows.workspace'), workspace],
    [t('page.evidence.request_rows.protocol'), protocol],
    [t('page.evidence.request_rows.id'), requestId],
    [t('page.evidence.request_rows.digest'), requestDigest],
  ];
  const known = facts.filter((fact): fact is [string, string] => fact[1] !== null && fact[1] !== undefined);
  return (
    <section className="panel" aria-label={t('page.evidence.request')} data-fold={open ? 'open' : 'closed'}>
      <div className="panel-b">
        <FoldButton open={open} label={t('page.evidence.request')} part="exact" onToggle={() => setOpen(!open)} />
        {open ? (
          <>
            <div className="cmd args-box" tabIndex={0} role="group" aria-label={t('page.evidence.request')}>
              <dl className="args mono">
                {known.map(([name, value], index) => (
                  <ArgumentRow key={index} name={name} value={value} />
                ))}
              </dl>
            </div>
            <p className="small mut">{t('page.evidence.no_request')}</p>
          </>
        ) : null}
      </div>
    </section>
  );
}

export function EvidenceFiles({ evidence: { files, dir, state } }: { evidence: Evidence }): ReactNode {
  if (dir === null || state === 'deleted') return null;
  return (
    <Panel id="files" heading={t('page.evidence.files')}>
      <ul className="files">
        {files.map(({ name, bytes, fileState }) => (
          <li key={name}>
            <code>{name}</code>
            <span className="num dim">{bytes === 0 ? '' : fileSize(bytes)}</span>
            <span className={fileState === 'as_written' ? 'mut' : fileState === 'too_big' ? 'tone-wait' : 'bad'}>
              {t(`page.evidence.file_states.${fileState}`)}
            </span>
          </li>
        ))}
      </ul>
      {files.some((file) => file.kept === true) ? <p className="xs dim">{t('page.evidence.kept')}</p> : null}
      <CopyLine text={dir} />
    </Panel>
  );
}
