/** Loads the full picture of a card; the card itself contains only a part of it. */
import { useEffect, useState } from 'react';
import type { Picture } from '../../../main/protocol/index.js';
import type { Ask } from '../../net/host-questions.js';
import type { Card } from '../../state/state.js';

export interface LoadedPicture {
  /** null while it is loading, or when the host has none. */
  picture: Picture | null;
  state: 'asking' | 'shown' | 'part';
}

const ASKING: LoadedPicture = { picture: null, state: 'asking' };
const PART: LoadedPicture = { picture: null, state: 'part' };

/** The host keeps no picture of a decided card, so the last one loaded stays. */
export function useFullPicture(ask: Ask, { id, digest }: Card, wanted: boolean): LoadedPicture {
  const [found, setFound] = useState<{ digest: string; whole: LoadedPicture } | null>(null);
  useEffect(() => {
    if (!wanted) return undefined;
    let here = true;
    const keep = (whole: LoadedPicture) => {
      if (here) setFound({ digest, whole });
    };
    ask('cardPicture', { id }).then(
      ({ picture, digest: of }) => keep(picture === null || of !== digest ? PART : { picture, state: 'shown' }),
      () => keep(PART),
    );
    return () => {
      here = false;
    };
  }, [ask, id, digest, wanted]);
  if (found?.digest === digest) return found.whole;
  return wanted ? ASKING : PART;
}
