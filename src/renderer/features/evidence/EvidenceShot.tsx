/** One picture of the evidence, or why it is not shown; with what lies over it. */
import type { CSSProperties, ReactNode } from 'react';
import type { EvidenceFileName } from '../../../main/protocol/index.js';
import type { Outline } from './elements.js';
import { exactTime } from '../../ui/days.js';
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
  highlighted: Pick<Outline, 'left' | 'top' | 'width' | 'height'> | null;
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
  const alt = t('page.evidence.picture_of', { what: shot.label, title: what });
  return (
    <figure className="panel shot">
      <figcaption>
        <b>{shot.label}</b>
        {shot.at === null ? null : <span className="num">{exactTime(shot.at)}</span>}
      </figcaption>
      {shot.url === null ? (
        <MissingPicture file={shot.file} />
      ) : (
        <div
          className="shot-frame"
          tabIndex={0}
          role="group"
          aria-label={t('page.evidence.scroll', { what: shot.label })}
        >
          <div className="canvas" style={{ width: `${times * 100}%` }}>
            <img
              src={shot.url}
              alt={alt}
              draggable={false}
              onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) =>
                onSize?.({ width: naturalWidth, height: naturalHeight })
              }
            />
            {children}
          </div>
        </div>
      )}
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

export function percent({
  left,
  top,
  width,
  height,
}: Pick<Outline, 'left' | 'top' | 'width' | 'height'>): CSSProperties {
  return { left: `${left}%`, top: `${top}%`, width: `${width}%`, height: `${height}%` };
}
