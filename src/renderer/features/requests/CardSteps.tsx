/** The steps of a plan or macro, all of them, in words; their exact arguments stand in the exact request. */
import type { ReactNode } from 'react';
import { effectIcon, effectTone } from '../../ui/effects.js';
import type { Card, ShownStep } from '../../../main/protocol/index.js';
import { say, t } from '../../strings.js';
import { ArgumentRow, ArgumentRows } from '../../ui/rows.js';
import { TitleText } from './CardHead.js';
import { Icon } from '../../ui/Icon.js';
import { RevealedText } from '../../ui/RevealedText.js';

const SCROLLS_FROM_CHARS = 400;

export function CardSteps({ steps, card }: { steps: ShownStep[]; card: Card }): ReactNode {
  return (
    <ol className="steps" aria-label={t('page.card.steps', { count: steps.length })}>
      {steps.map((step, index) => (
        <li key={index} className={step.effect === 'dangerous' ? 'danger' : undefined}>
          <span className={`step-i ${effectTone(step.effect)}`}>
            <Icon name={effectIcon(step)} />
          </span>
          <div className="step">
            <StepText step={step} card={card} />
          </div>
        </li>
      ))}
    </ol>
  );
}

function StepText({ step, card }: { step: ShownStep; card: Card }): ReactNode {
  const { subject, text, notes, late, window } = step;
  const sameApp = subject.app === card.subject.app;
  const place = window === null || window === card.window ? null : (step.documentUrl ?? window);
  return (
    <>
      <b>
        <TitleText subject={subject} here={sameApp} />
      </b>
      {place === null ? null : <RevealedText text={place} />}
      {late === null ? null : (
        <>
          <span>{t('page.card.late')}</span>
          <dl className="args mono">
            <ArgumentRows given={step.arguments} />
          </dl>
        </>
      )}
      {text === null || text === '' ? null : (
        <pre
          className={text.length > SCROLLS_FROM_CHARS ? 'scrolls' : undefined}
          tabIndex={text.length > SCROLLS_FROM_CHARS ? 0 : undefined}
        >
          <RevealedText text={text} keepWordsWhole />
        </pre>
      )}
      {notes.map(say).map((note) => (
        <span key={note}>
          <RevealedText text={note} />
        </span>
      ))}
    </>
  );
}

/** Tool and arguments of each step, as they run. */
export function ExactSteps({ steps, card }: { steps: ShownStep[]; card: Card }): ReactNode {
  return steps.map((step, index) => (
    <div
      className="cmd args-box"
      key={index}
      tabIndex={0}
      role="group"
      aria-label={t('page.card.step', { number: index + 1 })}
    >
      <dl className="args mono">
        <dt>{t('page.card.step', { number: index + 1 })}</dt>
        <dd>
          <RevealedText text={step.tool} />
        </dd>
        <ArgumentRows given={step.arguments} />
        {placeRows(step, card).map(([name, value]) => (
          <ArgumentRow key={name} name={name} value={value} />
        ))}
      </dl>
    </div>
  ));
}

/** Where a step acts, when that is not where the whole does. */
function placeRows({ process, window, documentUrl }: ShownStep, card: Card): [name: string, value: string][] {
  const app =
    process === null ? null : t('page.card.rows.app_of', { name: process.name, id: process.appId, pid: process.pid });
  const facts: [string, string | null][] = [
    [t('page.card.rows.app'), process?.pid === card.process?.pid ? null : app],
    [t('page.card.rows.window'), window === card.window ? null : window],
    [t('page.card.rows.document'), documentUrl === card.documentUrl ? null : documentUrl],
  ];
  return facts.filter((fact): fact is [string, string] => fact[1] !== null);
}
