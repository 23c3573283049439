/** One picture of the evidence, or why it is not shown; with what lies over it. */
import { useState, type CSSProperties, type ReactNode } from 'react';
import type { EvidenceFileName } from '../../../main/protocol/index.js';
import type { Box, Outline } from './elements.js';
import { exactTime } from '../../ui/formats.js';
import type { LoadedFile } from './load-evidence.js';
import type { Loaded } from '../../ui/loaded.js';
import { t } from '../../strings.js';
import { Icon } from '../../ui/Icon.js';
import { RevealedText } from '../../ui/RevealedText.js';

export interface Size {
  width: number;
  height: number;
}

export interface Overlay {
  /** The picture it lies on. */
  on: EvidenceFileName;
  outlines: Outline[];
  highlighted: Box | null;
  chosen: number | null;
  onPoint(id: number | null): void;
  onSize(size: Size): void;
}

export interface Shot {
  name: EvidenceFileName;
  label: string;
  at: string | null;
  /** null: there never was one. */
  file: Loaded<LoadedFile> | null;
  url: string | null;
}

interface Props {
  shot: Shot;
  times: number;
  what: string;
  onSize: ((size: Size) => void) | null;
  children: ReactNode;
}

export function EvidenceShot({ shot, times, what, onSize, children }: Props): ReactNode {
  return (
    <figure className="panel shot">
      <figcaption>
        <b>{shot.label}</b>
        {shot.at === null ? null : <span className="num">{exactTime(shot.at)}</span>}
      </figcaption>
      {shot.url === null ? (
        <MissingPicture file={shot.file} />
      ) : (
        <Canvas label={shot.label} times={times}>
          <Picture src={shot.url} label={shot.label} what={what} onSize={onSize} />
          {children}
        </Canvas>
      )}
    </figure>
  );
}

/** `label` names what is scrolled. */
function Canvas({ label, times, children }: { label: string; times: number; children: ReactNode }): ReactNode {
  return (
    <div className="shot-frame" tabIndex={0} role="group" aria-label={t('page.evidence.scroll', { what: label })}>
      <div className="canvas" style={{ width: `${times * 100}%` }}>
        {children}
      </div>
    </div>
  );
}

interface PictureProps {
  src: string;
  label: string;
  what: string;
  onSize?: Props['onSize'];
  /** Shows only so much of it, from the left. */
  part?: number;
}

function Picture({ src, label, what, onSize, part }: PictureProps): ReactNode {
  return (
    <img
      src={src}
      alt={t('page.evidence.picture_of', { what: label, title: what })}
      draggable={false}
      className={part === undefined ? undefined : 'over'}
      style={part === undefined ? undefined : { clipPath: `inset(0 ${100 - part}% 0 0)` }}
      onLoad={({ currentTarget }) =>
        onSize?.({ width: currentTarget.naturalWidth, height: currentTarget.naturalHeight })
      }
    />
  );
}

interface SliderProps {
  before: string;
  after: string;
  times: number;
  what: string;
}

/** The picture after the action over the one before, up to the slider's position. */
export function EvidenceSlider({ before, after, times, what }: SliderProps): ReactNode {
  const [part, setPart] = useState(50);
  const names = { before: t('page.evidence.before'), after: t('page.evidence.after') };
  return (
    <figure className="panel shot">
      <figcaption>
        <b>{names.before}</b>
        <input
          type="range"
          className="slide"
          min={0}
          max={100}
          value={part}
          aria-label={t('page.evidence.slide')}
          aria-valuetext={`${part} %`}
          onChange={(event) => setPart(Number(event.target.value))}
        />
        <b>{names.after}</b>
      </figcaption>
      <Canvas label={t('page.evidence.slider')} times={times}>
        <Picture src={before} label={names.before} what={what} />
        <Picture src={after} label={names.after} what={what} part={part} />
        <span className="edge" aria-hidden="true" style={{ left: `${part}%` }} />
      </Canvas>
    </figure>
  );
}

function MissingPicture({ file }: { file: Shot['file'] }): ReactNode {
  if (file === null || file.state === 'loading' || (file.state === 'done' && file.value.bytes !== null))
    return <div className="shot-frame empty" aria-busy="true" />;
  if (file.state === 'failed') {
    return (
      <p className="instead small bad">
        <RevealedText text={file.message} />
      </p>
    );
  }
  return (
    <div className="instead small">
      <p className="out bad wrap">
        <Icon name="alert" />
        {t(`page.evidence.file_states.${file.value.fileState}`)}
      </p>
      <p className="mut">{t('page.evidence.not_shown')}</p>
    </div>
  );
}

export function Outlines({ overlay }: { overlay: Overlay }): ReactNode {
  const { outlines, chosen, highlighted, onPoint } = overlay;
  return (
    <span className="outlines" aria-hidden="true" onPointerLeave={() => onPoint(null)}>
      {outlines.map((outline) => (
        <span
          key={outline.id}
          className="outline"
          data-lit={outline.id === chosen || undefined}
          data-target={outline.target || undefined}
          style={percent(outline)}
          onPointerEnter={() => onPoint(outline.id)}
        >
          <b>{outline.number}</b>
        </span>
      ))}
      {highlighted === null || outlines.some(({ id }) => id === chosen) ? null : (
        <span className="outline" data-lit style={percent(highlighted)} />
      )}
    </span>
  );
}

export const percent = ({ left, top, width, height }: Box): CSSProperties => ({
  left: `${left}%`,
  top: `${top}%`,
  width: `${width}%`,
  height: `${height}%`,
});
