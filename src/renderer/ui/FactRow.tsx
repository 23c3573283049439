/** A row of a `dl`; without a value there is none. */
import type { ReactNode } from 'react';
import { RevealedText } from './RevealedText.js';

interface Props {
  name: string;
  /** A value with something of an agent's in it. */
  text?: string | null | undefined;
  /** Any other value. */
  children?: ReactNode;
  variant?: 'mono' | 'num';
}

export function FactRow({ name, text = null, children = null, variant }: Props): ReactNode {
  const value = text === null || text === '' ? children : <RevealedText text={text} />;
  if (value === null || value === '') return null;
  return (
    <>
      <dt>{name}</dt>
      <dd className={variant}>{value}</dd>
    </>
  );
}
