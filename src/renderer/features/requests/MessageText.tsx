import type { ReactNode } from 'react';
import type { Message } from '../../../messages/index.js';
import { formatter } from '../../strings.js';
import { CutText } from './CardHead.js';

/** A sentence with names in it that others chose: each is marked and cut by itself. */
export function MessageText({ message, most }: { message: Message; most?: number }): ReactNode {
  const length = most === undefined ? {} : { most };
  return formatter
    .parts(message)
    .map(({ kind, text }, index) => (kind === 'words' ? text : <CutText key={index} text={text} {...length} />));
}
