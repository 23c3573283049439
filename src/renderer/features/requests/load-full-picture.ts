/** Loads the full picture of a card; the card itself contains only a part of it. */
import type { Picture, Card } from '../../../main/protocol/index.js';
import type { Ask } from '../../net/host-questions.js';
import { useLoaded } from '../../ui/loaded.js';

interface LoadedPicture {
  /** null while it is loading, or when the host has none. */
  picture: Picture | null;
  state: 'asking' | 'shown' | 'part';
}

/** The host keeps no picture of a decided card, so the last one loaded stays. */
export function useFullPicture(ask: Ask, { id, digest }: Card, wanted: boolean): LoadedPicture {
  const load = async (): Promise<Picture | null> => {
    const answer = await ask('cardPicture', { id });
    return answer.digest === digest ? answer.picture : null;
  };
  const loaded = useLoaded(wanted ? load : null, `${id} ${digest}`);
  if (loaded.state === 'done' && loaded.value !== null) return { picture: loaded.value, state: 'shown' };
  return { picture: null, state: wanted && loaded.state === 'loading' ? 'asking' : 'part' };
}
