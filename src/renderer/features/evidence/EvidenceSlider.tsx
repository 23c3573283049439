/** The picture after the action over the one before, up to the slider's position. */
import { useState, type ReactNode } from 'react';
import { t } from '../../strings.js';

interface Props {
  before: string;
  after: string;
  times: number;
  what: string;
}

export function EvidenceSlider({ before, after, times, what }: Props): ReactNode {
  const [part, setPart] = useState(50);
  return (
    <figure className="panel shot">
      <figcaption>
        <b>{t('page.evidence.before')}</b>
        <SliderHandle part={part} onMove={setPart} />
        <b>{t('page.evidence.after')}</b>
      </figcaption>
      <div
        className="shot-frame"
        tabIndex={0}
        role="group"
        aria-label={t('page.evidence.scroll', { what: t('page.evidence.slider') })}
      >
        <div className="canvas" style={{ width: `${times * 100}%` }}>
          <img
            src={before}
            alt={t('page.evidence.picture_of', { what: t('page.evidence.before'), title: what })}
            draggable={false}
          />
          <img
            className="over"
            src={after}
            alt={t('page.evidence.picture_of', { what: t('page.evidence.after'), title: what })}
            draggable={false}
            style={{ clipPath: `inset(0 ${100 - part}% 0 0)` }}
          />
          <span className="edge" aria-hidden="true" style={{ left: `${part}%` }} />
        </div>
      </div>
    </figure>
  );
}

function SliderHandle({ part, onMove }: { part: number; onMove(part: number): void }): ReactNode {
  return (
    <input
      type="range"
      className="slide"
      min={0}
      max={100}
      value={part}
      aria-label={t('page.evidence.slide')}
      aria-valuetext={`${part} %`}
      onChange={(event) => onMove(Number(event.target.value))}
    />
  );
}
