/** Arguments as sent; anything but a string as one line of JSON. */
import type { ReactNode } from 'react';
import type { Card } from '../../main/protocol/index.js';
import { RevealedText } from './RevealedText.js';

export function argumentRows(given: Card['arguments']): [name: string, value: string][] {
  const plain = typeof given === 'object' && given !== null && !Array.isArray(given);
  const args = plain ? Object.entries(given) : ([['arguments', given]] as const);
  return args.map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)]);
}

export function ArgumentRows({ given }: { given: Card['arguments'] }): ReactNode {
  return argumentRows(given).map(([name, value], index) => <ArgumentRow key={index} name={name} value={value} />);
}

/** Unlike a `FactRow`, also for an empty value, and with a name that an agent controls. */
export function ArgumentRow({ name, value }: { name: string; value: string }): ReactNode {
  return (
    <>
      <dt>
        <RevealedText text={name} />
      </dt>
      <dd>
        <RevealedText text={value} />
      </dd>
    </>
  );
}
