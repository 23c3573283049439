import type { ReactNode } from 'react';
import type { Message } from '../../../messages/index.js';
import { formatter } from '../../strings.js';
import { Name } from './CardHead.js';

/** A sentence with names in it that others chose: each is marked and cut by itself. */
export function Sentence({ message, most }: { message: Message; most?: number }): ReactNode {
  const length = most === undefined ? {} : { most };
  return formatter
    .parts(message)
    .map(({ kind, text }, index) => (kind === 'words' ? text : <Name key={index} text={text} {...length} />));
}
