/** The pictures with numbered outlines, and the tree of elements beside them. Pointing at one highlights the other. */
import { useState, type ReactNode } from 'react';
import type { Evidence, EvidenceFileName } from '../../../main/protocol/index.js';
import type { Ask } from '../../net/host-questions.js';
import {
  areaOf,
  elementsOfPlan,
  outlinesOf,
  parseElements,
  within,
  type Box,
  type TreeElement,
  type Outline,
  type ShownPlan,
} from './elements.js';
import { useFile, useParsedFile } from './load-evidence.js';
import { t } from '../../strings.js';
import { ElementTree } from './ElementTree.js';
import { EvidencePictures } from './EvidencePictures.js';
import type { Size } from './EvidenceShot.js';

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
