/** Before and after: beside each other, or one over the other with a slider; enlarged where the person wants to look closely. */
import { useState, type ReactNode } from 'react';
import type { Ask } from '../../net/host-questions.js';
import { useChangedAreas } from './changed-areas.js';
import { useFile, usePicture } from './load-evidence.js';
import { toPlainText, titleText, type Evidence, type EvidenceFileName } from '../../../main/protocol/index.js';
import { formatter, t } from '../../strings.js';
import { isDone } from '../../app/outcomes.js';
import { EvidenceShot, Outlines, percent, type Shot, type Overlay } from './EvidenceShot.js';
import { EvidenceSlider } from './EvidenceSlider.js';
import { Button } from '../../ui/Button.js';
import type { IconName } from '../../ui/Icon.js';
/** Times the width it has here. */
const ZOOMS = [1, 1.5, 2, 3, 4, 6] as const;

interface Props {
  evidence: Evidence;
  ask: Ask;
  executionId: string;
  overlay: Overlay;
}

export function EvidencePictures({ evidence, ask, executionId, overlay }: Props): ReactNode {
  const [zoom, setZoom] = useState(0);
  const [slider, setSlider] = useState(false);
  const { startedAt, endedAt, files } = evidence;
  const given = { ask, executionId, files };
  const before = useShot({ ...given, name: 'before.png', label: t('page.evidence.before'), at: startedAt });
  const after = useShot({ ...given, name: 'after.png', label: t('page.evidence.after'), at: endedAt });
  const observed = useShot({ ...given, name: 'observe.png', label: t('page.evidence.observed'), at: endedAt });
  const shots = [before, after, observed].filter((shot) => shot.file !== null);
  const changed = useChangedAreas(before.url, after.url);
  const times = ZOOMS[zoom] ?? 1;
  const what = titleOf(evidence);
  return (
    <section className="pictures" aria-label={t('page.evidence.pictures')}>
      <div className="toolrow">
        {before.url !== null && after.url !== null ? <CompareChoice slider={slider} onChange={setSlider} /> : null}
        <Zooms zoom={zoom} times={times} onChange={setZoom} />
      </div>
      {slider && before.url !== null && after.url !== null ? (
        <EvidenceSlider before={before.url} after={after.url} times={times} what={what} />
      ) : (
        <div className="shots" data-count={shots.length}>
          {shots.map((shot) => (
            <EvidenceShot
              key={shot.name}
              shot={shot}
              times={times}
              what={what}
              onSize={shot.name === overlay.on ? overlay.onSize : null}
            >
              {shot.name === overlay.on ? <Outlines overlay={overlay} /> : null}
              {shot.name === 'after.png' ? <ChangedAreas boxes={changed} /> : null}
            </EvidenceShot>
          ))}
        </div>
      )}
    </section>
  );
}

/** A ring around each part that changed; the largest says what the rings are. */
function ChangedAreas({ boxes }: { boxes: ReturnType<typeof useChangedAreas> }): ReactNode {
  return boxes.map((box, index) => (
    <span
      key={`${box.left} ${box.top}`}
      className="changed"
      data-small={box.height < 12 || undefined}
      style={percent(box)}
      aria-hidden="true"
    >
      {index === 0 ? <b>{t('page.evidence.changed')}</b> : null}
    </span>
  ));
}

interface ShotProps {
  ask: Ask;
  executionId: string;
  files: Evidence['files'];
  name: EvidenceFileName;
  label: string;
  at: string | null;
}

function useShot({ ask, executionId, files, name, label, at }: ShotProps): Shot {
  const there = files.some((file) => file.name === name);
  const file = useFile(ask, executionId, there ? name : null);
  return { name, label, at, file, url: usePicture(file) };
}

function titleOf({ activity, tool }: Evidence): string {
  if (activity === null) return toPlainText(tool);
  return toPlainText(titleText(formatter, activity.subject, { past: isDone(activity), here: true }), 120);
}

function CompareChoice({ slider, onChange }: { slider: boolean; onChange(slider: boolean): void }): ReactNode {
  const ways = [
    [false, t('page.evidence.side_by_side')],
    [true, t('page.evidence.slider')],
  ] as const;
  return (
    <fieldset className="segments">
      <legend className="vh">{t('page.evidence.compare')}</legend>
      {ways.map(([way, name]) => (
        <label key={name}>
          <input type="radio" name="compare" checked={slider === way} onChange={() => onChange(way)} />
          <span>{name}</span>
        </label>
      ))}
    </fieldset>
  );
}

function Zooms(props: { zoom: number; times: number; onChange(zoom: number): void }): ReactNode {
  const { zoom, times, onChange } = props;
  return (
    <span className="zooms">
      <ZoomButton
        icon="minus"
        label={t('page.evidence.zoom_out')}
        off={zoom === 0}
        onPress={() => onChange(zoom - 1)}
      />
      <span className="num xs dim" role="status">
        <span aria-hidden="true">{`${times}×`}</span>
        <span className="vh">{t('page.evidence.zoom', { times: String(times) })}</span>
      </span>
      <ZoomButton
        icon="plus"
        label={t('page.evidence.zoom_in')}
        off={zoom === ZOOMS.length - 1}
        onPress={() => onChange(zoom + 1)}
      />
    </span>
  );
}

function ZoomButton(props: { icon: IconName; label: string; off: boolean; onPress(): void }): ReactNode {
  const { icon, label, off, onPress } = props;
  return (
    <Button variant="quiet icon sm" icon={icon} aria-label={label} title={label} disabled={off} onClick={onPress} />
  );
}
