/** Below the rest: the request as it was approved, and the files. */
import { useState, type ReactNode } from 'react';
import type { Evidence } from '../../../main/protocol/index.js';
import type { ShownPlan } from './ax.js';
import { say, strings } from '../../strings.js';
import { ArgumentRow } from '../../ui/ArgumentRows.js';
import { CopyLine } from '../../ui/CopyLine.js';
import { FoldButton } from '../../ui/FoldButton.js';
import { fromRecord } from '../../../messages/index.js';

const words = strings.record.evidence;
const rows = words.requestRows;

export function EvidenceRequest({ evidence, plan }: { evidence: Evidence; plan: ShownPlan | null }): ReactNode {
  const [open, setOpen] = useState(false);
  const { tool, requestId, requestDigest, protocol, workspace, activity } = evidence;
  const facts: [string, string | null | undefined][] = [
    [rows.tool, tool],
    [rows.text, plan?.text],
    [words.target, activity?.subject.target],
    [rows.app, activity?.subject.app],
    [rows.window, plan?.window?.title],
    ...(plan?.notes ?? []).map((note): [string, string] => [rows.note, say(fromRecord(note))]),
    [rows.workspace, workspace],
    [rows.protocol, protocol],
    [rows.id, requestId],
    [rows.digest, requestDigest],
  ];
  const known = facts.filter((fact): fact is [string, string] => fact[1] !== null && fact[1] !== undefined);
  return (
    <section className="panel" aria-label={words.request} data-fold={open ? 'open' : 'closed'}>
      <div className="panel-b">
        <FoldButton open={open} label={words.request} part="exact" onToggle={() => setOpen(!open)} />
        {open ? (
          <>
            <div className="cmd args-box" tabIndex={0} role="group" aria-label={words.request}>
              <dl className="args mono">
                {known.map(([name, value], index) => (
                  <ArgumentRow key={index} name={name} value={value} />
                ))}
              </dl>
            </div>
            <p className="small mut">{words.noRequest}</p>
          </>
        ) : null}
      </div>
    </section>
  );
}

export function EvidenceFiles({ evidence: { files, dir, state } }: { evidence: Evidence }): ReactNode {
  if (dir === null || state === 'deleted') return null;
  return (
    <section className="panel" aria-labelledby="h-files">
      <div className="panel-h">
        <h2 id="h-files">{words.files}</h2>
      </div>
      <div className="panel-b">
        <ul className="files">
          {files.map(({ name, bytes, standing }) => (
            <li key={name}>
              <code>{name}</code>
              <span className="num dim">{bytes === 0 ? '' : words.size(bytes)}</span>
              <span className={standing === 'as_written' ? 'mut' : standing === 'too_big' ? 'tone-wait' : 'bad'}>
                {words.standings[standing]}
              </span>
            </li>
          ))}
        </ul>
        <CopyLine text={dir} />
      </div>
    </section>
  );
}
