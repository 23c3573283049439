/** Before and after: beside each other, or one over the other with a slider; enlarged where the person wants to look closely. */
import { useState, type ReactNode } from 'react';
import type { Ask } from '../../net/host-questions.js';
import { useFile, usePicture } from './load-evidence.js';
import { toPlainText, titleText, type Evidence, type EvidenceFileName } from '../../../main/protocol/index.js';
import { formatter, t } from '../../strings.js';
import { isDone } from '../../app/actions.js';
import { EvidenceShot, EvidenceSlider, Outlines, percent, type Shot, type Overlay } from './EvidenceShot.js';
import { Button } from '../../ui/Button.js';
import { useLoaded, valueOf } from '../../ui/loaded.js';
import type { Box } from './elements.js';

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
function ChangedAreas({ boxes }: { boxes: Box[] }): ReactNode {
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

function Zooms({ zoom, times, onChange }: { zoom: number; times: number; onChange(zoom: number): void }): ReactNode {
  const button = (icon: 'minus' | 'plus', label: string, next: number) => (
    <Button
      variant="quiet icon sm"
      icon={icon}
      aria-label={label}
      title={label}
      disabled={ZOOMS[next] === undefined}
      onClick={() => onChange(next)}
    />
  );
  return (
    <span className="zooms">
      {button('minus', t('page.evidence.zoom_out'), zoom - 1)}
      <span className="num xs dim" role="status">
        <span aria-hidden="true">{`${times}×`}</span>
        <span className="vh">{t('page.evidence.zoom', { times: String(times) })}</span>
      </span>
      {button('plus', t('page.evidence.zoom_in'), zoom + 1)}
    </span>
  );
}

// The areas in which two pictures differ, found in reduced copies of them.

const COMPARED_WIDTH_PX = 480;
/** Sum over the three colour channels, of 765; less is noise. */
const MIN_COLOR_DIFFERENCE = 48;
/** Above this share of changed area, outlines say nothing. */
const MAX_CHANGED_SHARE = 0.75;
/** Side of a cell of the grid, in pixels of the small copy: what is nearer than that is one part. */
const CELL_PX = 8;
const MAX_BOXES = 24;

/** Largest first. */
function useChangedAreas(before: string | null, after: string | null): Box[] {
  const load = before === null || after === null ? null : () => compare(before, after);
  return valueOf(useLoaded(load, `${before} ${after}`)) ?? [];
}

async function compare(before: string, after: string): Promise<Box[]> {
  const [one, other] = await Promise.all([loaded(before), loaded(after)]);
  if (one.naturalWidth !== other.naturalWidth || one.naturalHeight !== other.naturalHeight) return [];
  const width = Math.min(COMPARED_WIDTH_PX, one.naturalWidth);
  const height = Math.max(1, Math.round((one.naturalHeight * width) / one.naturalWidth));
  return changedBoxes(pixels(one, width, height), pixels(other, width, height), width, height);
}

async function loaded(url: string): Promise<HTMLImageElement> {
  const image = new Image();
  image.src = url;
  await image.decode();
  return image;
}

function pixels(image: HTMLImageElement, width: number, height: number): Uint8ClampedArray {
  const canvas = document.createElement('canvas');
  canvas.width = width;
  canvas.height = height;
  const context = canvas.getContext('2d', { willReadFrequently: true });
  if (context === null) throw new Error('There is no canvas here.');
  context.drawImage(image, 0, 0, width, height);
  return context.getImageData(0, 0, width, height).data;
}

interface Bounds {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** In hundredths, largest first; none when nothing differs, or nearly everything. RGBA, row by row. */
export function changedBoxes(one: ArrayLike<number>, other: ArrayLike<number>, width: number, height: number): Box[] {
  const parts = joinCells(changedCells(one, other, width, height));
  const area = ({ left, top, right, bottom }: Bounds) => (right - left + 1) * (bottom - top + 1);
  const all = parts.reduce((sum, part) => sum + area(part), 0);
  if (all > MAX_CHANGED_SHARE * width * height) return [];
  const largest = parts.toSorted((a, b) => area(b) - area(a)).slice(0, MAX_BOXES);
  return largest.map(({ left, top, right, bottom }) => ({
    left: (100 * left) / width,
    top: (100 * top) / height,
    width: (100 * (right - left + 1)) / width,
    height: (100 * (bottom - top + 1)) / height,
  }));
}

/** The bounds of what differs in each cell of the grid, by `column,row`. */
function changedCells(one: ArrayLike<number>, other: ArrayLike<number>, width: number, height: number) {
  const cells = new Map<string, Bounds>();
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const at = (y * width + x) * 4;
      let apart = 0;
      for (let part = at; part < at + 3; part += 1) apart += Math.abs((one[part] ?? 0) - (other[part] ?? 0));
      if (apart < MIN_COLOR_DIFFERENCE) continue;
      const key = `${Math.floor(x / CELL_PX)},${Math.floor(y / CELL_PX)}`;
      const here = { left: x, top: y, right: x, bottom: y };
      cells.set(key, union(cells.get(key) ?? here, here));
    }
  }
  return cells;
}

/** Cells that touch, also at a corner, are one part. */
function joinCells(cells: Map<string, Bounds>): Bounds[] {
  const parts: Bounds[] = [];
  for (const first of cells.keys()) {
    let part: Bounds | null = null;
    const open = [first];
    for (let key = open.pop(); key !== undefined; key = open.pop()) {
      const bounds = cells.get(key);
      if (bounds === undefined) continue;
      cells.delete(key);
      part = union(part ?? bounds, bounds);
      const [column = 0, row = 0] = key.split(',').map(Number);
      for (const down of [-1, 0, 1]) for (const across of [-1, 0, 1]) open.push(`${column + across},${row + down}`);
    }
    if (part !== null) parts.push(part);
  }
  return parts;
}

function union(a: Bounds, b: Bounds): Bounds {
  return {
    left: Math.min(a.left, b.left),
    top: Math.min(a.top, b.top),
    right: Math.max(a.right, b.right),
    bottom: Math.max(a.bottom, b.bottom),
  };
}
