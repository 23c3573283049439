/** The empty page teaches: what Chaperone does, how to connect an agent, and a way to see it work first. */
import type { ReactNode } from 'react';
import { strings } from '../strings.js';
import { ConnectAgent } from './ConnectAgent.js';
import { CopyLine } from './CopyLine.js';
import { Icon, type IconName } from './Icon.js';

const POINTS: { icon: IconName; words: readonly [string, string] }[] = [
  { icon: 'hand', words: strings.first.asks },
  { icon: 'chat', words: strings.first.talk },
  { icon: 'shield', words: strings.first.record },
];

export function FirstRun({ hero }: { hero: boolean }): ReactNode {
  return (
    <>
      {hero ? <Hero /> : null}
      <ConnectAgent />
      <Demo />
    </>
  );
}

function Hero(): ReactNode {
  return (
    <>
      <div className="hero">
        <span className="mark">
          <Icon name="mark" />
        </span>
        <h1>{strings.first.heading}</h1>
        <p>{strings.first.text}</p>
      </div>
      <ul className="three">
        {POINTS.map(({ icon, words: [name, text] }) => (
          <li key={name}>
            <Icon name={icon} />
            <b>{name}</b>
            <p>{text}</p>
          </li>
        ))}
      </ul>
    </>
  );
}

function Demo(): ReactNode {
  const { first } = strings;
  return (
    <section className="region" aria-labelledby="h-demo">
      <div className="region-h">
        <h2 id="h-demo">{first.demoHeading}</h2>
      </div>
      <div className="panel">
        <div className="panel-b">
          <div className="part">
            <b>{first.demo}</b>
            <p className="small mut">{first.demoText}</p>
          </div>
          <CopyLine text={first.demoCommand} />
        </div>
      </div>
    </section>
  );
}
