/** The pictures with numbered outlines, and the tree of elements beside them. Pointing at one highlights the other. */
import { useMemo, useRef, useState, type KeyboardEvent, type ReactNode } from 'react';
import {
  MAX_ELEMENTS,
  type TreeElement,
  type Outline,
  areaOf,
  elementsOfPlan,
  outlinesOf,
  parseElements,
  within,
  type Box,
  type ShownPlan,
} from './elements.js';
import { t } from '../../strings.js';
import { CutText } from '../requests/CardHead.js';
import { Icon } from '../../ui/Icon.js';
import type { Evidence, EvidenceFileName } from '../../../main/protocol/index.js';
import type { Ask } from '../../net/host-questions.js';
import { useFile, useParsedFile } from './load-evidence.js';
import { EvidencePictures } from './EvidencePictures.js';
import type { Size } from './EvidenceShot.js';

// The elements as a tree. Arrow keys move and fold; the current element is highlighted in the picture.

/** Open at first, where all of it would be a long list. */
const OPEN_DEPTH = 3;
const MAX_ALL_OPEN = 120;
const MAX_SHOWN = 400;
const LONG_NAME = 80;

interface TreeProps {
  elements: TreeElement[];
  outlines: Outline[];
  chosen: number | null;
  onChoose(id: number | null): void;
}

function ElementTree({ elements, outlines, chosen, onChoose }: TreeProps): ReactNode {
  const [closed, setClosed] = useState<ReadonlySet<number>>(() => closedAtFirst(elements));
  const [current, setCurrent] = useState(0);
  const list = useRef<HTMLUListElement>(null);
  const numbers = useMemo(() => new Map(outlines.map((one) => [one.id, one.number])), [outlines]);
  const open = useMemo(() => unfolded(elements, closed), [elements, closed]);
  const shown = open.slice(0, MAX_SHOWN);
  const here = shown.some((one) => one.id === current) ? current : (shown[0]?.id ?? 0);

  function go(id: number | undefined): void {
    if (id === undefined) return;
    setCurrent(id);
    onChoose(id);
    list.current?.querySelector<HTMLElement>(`[data-id="${id}"]`)?.focus();
  }

  function fold(id: number, shut: boolean): void {
    const next = new Set(closed);
    if (shut) next.add(id);
    else next.delete(id);
    setClosed(next);
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const index = shown.findIndex((one) => one.id === here);
    const element = shown[index];
    if (element === undefined) return;
    const unfolded = element.hasChildren && !closed.has(element.id);
    const steps: Record<string, () => void> = {
      ArrowDown: () => go(shown[index + 1]?.id),
      ArrowUp: () => go(shown[index - 1]?.id),
      Home: () => go(shown[0]?.id),
      End: () => go(shown.at(-1)?.id),
      ArrowRight: () => (unfolded ? go(shown[index + 1]?.id) : element.hasChildren && fold(element.id, false)),
      ArrowLeft: () => (unfolded ? fold(element.id, true) : go(element.parent ?? undefined)),
    };
    const step = steps[event.key];
    if (step === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    step();
  }

  return (
    <>
      <ul className="tree" role="tree" aria-labelledby="h-tree" ref={list} onKeyDown={onKeyDown}>
        {shown.map((element) => (
          <TreeItem
            key={element.id}
            element={element}
            unfolded={element.hasChildren ? !closed.has(element.id) : null}
            number={numbers.get(element.id) ?? null}
            highlighted={element.id === chosen}
            inTabOrder={element.id === here}
            onFold={(shut) => fold(element.id, shut)}
            onChoose={onChoose}
            onGo={go}
          />
        ))}
      </ul>
      {open.length > shown.length || elements.length >= MAX_ELEMENTS ? (
        <p className="panel-f xs dim">{t('page.evidence.elements_many', { count: shown.length })}</p>
      ) : null}
    </>
  );
}

interface ItemProps {
  element: TreeElement;
  /** null: nothing is inside. */
  unfolded: boolean | null;
  number: number | null;
  highlighted: boolean;
  inTabOrder: boolean;
  onFold(shut: boolean): void;
  onChoose(id: number | null): void;
  onGo(id: number): void;
}

function TreeItem({ element, unfolded, number, highlighted, inTabOrder, ...on }: ItemProps): ReactNode {
  const { onFold, onChoose, onGo } = on;
  return (
    <li
      role="treeitem"
      data-id={element.id}
      data-target={element.target || undefined}
      aria-level={element.depth + 1}
      aria-selected={highlighted}
      aria-expanded={unfolded ?? undefined}
      tabIndex={inTabOrder ? 0 : -1}
      style={{ paddingInlineStart: `${Math.min(element.depth, 12) * 0.875 + 0.375}rem` }}
      onClick={() => onGo(element.id)}
      onFocus={() => onChoose(element.id)}
      onPointerEnter={() => onChoose(element.id)}
      onPointerLeave={() => onChoose(null)}
    >
      {unfolded === null ? (
        <span className="spacer" />
      ) : (
        <span className="twisty" data-open={unfolded || undefined} onClick={() => onFold(unfolded)}>
          <Icon name="right" />
        </span>
      )}
      {element.role === '' ? null : <span className="role">{roleText(element.role)}</span>}
      <span className="trunc">{element.title === '' ? null : <CutText text={element.title} most={LONG_NAME} />}</span>
      {number === null ? null : <span className="tag num">{number}</span>}
    </li>
  );
}

/** `AXRadioButton` is a Radio button. */
function roleText(role: string): string {
  const bare = /^AX[A-Z][A-Za-z]{1,40}$/.test(role) ? role.slice(2) : '';
  if (bare === '') return role.replace(/[^\p{L}\p{N} ]/gu, ' ').slice(0, 40);
  const spaced = bare.replace(/(?<=[a-z])(?=[A-Z])/g, ' ');
  return spaced.charAt(0) + spaced.slice(1).toLowerCase();
}

function closedAtFirst(elements: TreeElement[]): Set<number> {
  if (elements.length <= MAX_ALL_OPEN) return new Set();
  return new Set(elements.filter((one) => one.hasChildren && one.depth >= OPEN_DEPTH).map((one) => one.id));
}

/** The elements that are not inside a folded one. */
function unfolded(elements: TreeElement[], closed: ReadonlySet<number>): TreeElement[] {
  const hidden = new Set<number>();
  return elements.filter(({ id, parent }) => {
    if (parent !== null && (hidden.has(parent) || closed.has(parent))) {
      hidden.add(id);
      return false;
    }
    return true;
  });
}

interface Props {
  evidence: Evidence;
  plan: ShownPlan | null;
  ask: Ask;
  executionId: string;
}

export function EvidenceScene({ evidence, plan, ask, executionId }: Props): ReactNode {
  const has = (name: EvidenceFileName) => evidence.files.some((file) => file.name === name);
  const axFile = useFile(ask, executionId, has('ax.json') ? 'ax.json' : null);
  const seen = useParsedFile(axFile, parseElements);
  const [chosen, setChosen] = useState<number | null>(null);
  const [size, setSize] = useState<Size | null>(null);
  const picture = has('observe.png') ? 'observe.png' : 'before.png';
  const elements = seen ?? (plan === null ? [] : elementsOfPlan(plan));
  const area = size === null ? null : areaOf(plan, size);
  const outlines = area === null ? [] : outlinesOf(elements, area);
  const highlighted = chosen === null || area === null ? null : positionIn(elements[chosen], area);
  const pictures = has('before.png') || has('after.png') || has('observe.png');
  return (
    <>
      {pictures ? (
        <EvidencePictures
          evidence={evidence}
          ask={ask}
          executionId={executionId}
          overlay={{ on: picture, outlines, highlighted, chosen, onPoint: setChosen, onSize: setSize }}
        />
      ) : evidence.state === 'deleted' ? null : (
        <p className="panel panel-b mut">{t('page.evidence.no_pictures')}</p>
      )}
      {evidence.state === 'deleted' ? null : (
        <ElementsPanel
          elements={elements}
          outlines={outlines}
          chosen={chosen}
          onChoose={setChosen}
          when={seen === null ? 'before' : 'observe'}
          unplaced={size !== null && area === null}
        />
      )}
    </>
  );
}

interface ElementsProps {
  elements: TreeElement[];
  outlines: Outline[];
  chosen: number | null;
  onChoose(id: number | null): void;
  when: 'before' | 'observe';
  /** There is a picture, but it is not known where on it the elements are. */
  unplaced: boolean;
}

function ElementsPanel({ elements, outlines, chosen, onChoose, when, unplaced }: ElementsProps): ReactNode {
  return (
    <section className="panel tree-panel" aria-labelledby="h-tree">
      <div className="panel-h">
        <h2 id="h-tree">{t('page.evidence.elements')}</h2>
        {elements.length === 0 ? null : <span className="end xs dim">{t(`page.evidence.elements_when.${when}`)}</span>}
      </div>
      {elements.length === 0 ? (
        <p className="panel-b small mut">{t('page.evidence.elements_none')}</p>
      ) : (
        <ElementTree elements={elements} outlines={outlines} chosen={chosen} onChoose={onChoose} />
      )}
      {unplaced && elements.length > 0 ? <p className="panel-f xs dim">{t('page.evidence.elements_off')}</p> : null}
    </section>
  );
}

function positionIn(element: TreeElement | undefined, area: Parameters<typeof within>[1]): Box | null {
  return element?.frame == null ? null : within(element.frame, area);
}
