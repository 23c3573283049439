/** Where consecutive sections of the list were dropped: an empty box of their height, which has those near the window loaded again. */
import { useEffect, useRef, type ReactNode } from 'react';
import type { ActivitySection } from '../../state/activity-sections.js';
import { onScrollOrResize } from '../../ui/window-events.js';

/** This near to the window. */
const AHEAD_PX = 4_000;

interface Props {
  sections: ActivitySection[];
  heightOf(section: ActivitySection): number;
  onNear(id: string): void;
  /** Looks again when the connection is back. */
  online: boolean;
}

export function DroppedSections({ sections, heightOf, onNear, online }: Props): ReactNode {
  const box = useRef<HTMLDivElement>(null);
  const look = useRef(() => {});
  useEffect(() => {
    look.current = () => {
      if (!online || box.current?.checkVisibility() !== true) return;
      const { top, bottom } = box.current.getBoundingClientRect();
      if (bottom < -AHEAD_PX || top > window.innerHeight + AHEAD_PX) return;
      const near = sectionAt(sections, heightOf, window.innerHeight / 2 - top);
      if (near !== undefined) onNear(near.id);
    };
    look.current();
  });
  useEffect(() => onScrollOrResize(() => look.current()), []);
  return <div ref={box} style={{ height: sections.reduce((sum, section) => sum + heightOf(section), 0) }} />;
}

/** The one there, or the nearest. */
function sectionAt(
  sections: ActivitySection[],
  heightOf: Props['heightOf'],
  place: number,
): ActivitySection | undefined {
  let bottom = 0;
  return sections.find((section) => (bottom += heightOf(section)) > place) ?? sections.at(-1);
}
