/** The desktop as it is, for the person to watch. A private desktop moves; of the screen in front of them there is a single picture. */
import { useState, type ReactNode } from 'react';
import { Button } from '../../ui/Button.js';
import { Now } from '../agents/Doing.js';
import { Icon } from '../../ui/Icon.js';
import { Screen } from './Screen.js';
import { TakeOver } from './TakeOver.js';
import { ViewHead } from '../../ui/ViewHead.js';
import { useSight, type Sight } from './looking.js';
import { clockTime } from '../../ui/time.js';
import { strings } from '../../strings.js';
import type { ViewProps } from '../../app/props.js';

const words = strings.desk.live;

export function Live({ state, actions }: ViewProps): ReactNode {
  const online = state.link === 'open';
  const screen = state.health?.screen ?? 'real';
  return (
    <>
      <ViewHead title={strings.views.live}>
        <TakeOver state={state} actions={actions} />
      </ViewHead>
      <Now agents={state.status.agents} />
      {screen === 'real' ? (
        <Still look={actions.look} online={online} />
      ) : (
        <Moving look={actions.look} online={online} text={words[screen]} />
      )}
    </>
  );
}

type Look = ViewProps['actions']['look'];

function Moving({ look, online, text }: { look: Look; online: boolean; text: string }): ReactNode {
  const sight = useSight(look, online, null);
  return (
    <div className="region">
      <Shown sight={sight} alt={words.alt} empty={words.starting} />
      <p className="small mut">{online ? text : words.offline}</p>
    </div>
  );
}

function Still({ look, online }: { look: Look; online: boolean }): ReactNode {
  const [asked, setAsked] = useState(0);
  const sight = useSight(look, online, asked);
  const time = sight === null ? '' : clockTime(sight.frame.at);
  return (
    <div className="region">
      <div className="panel panel-b explain">
        <Icon name="eye" tone="k-read" />
        <div className="part">
          <h2 className="h4">{words.real}</h2>
          <p className="small mut">{words.realText}</p>
          <div className="acts">
            <Button look="sm" icon="image" dead={!online} onClick={() => setAsked(asked + 1)}>
              {asked === 0 ? words.take : words.again}
            </Button>
          </div>
        </div>
      </div>
      {asked === 0 ? null : <Shown sight={sight} alt={words.altStill(time)} empty={words.starting} />}
      {sight === null ? null : <p className="small mut">{words.takenAt(time)}</p>}
    </div>
  );
}

function Shown({ sight, alt, empty }: { sight: Sight | null; alt: string; empty: string }): ReactNode {
  if (sight?.picture != null) return <Screen sight={sight} picture={sight.picture} alt={alt} />;
  const held = sight?.frame.held ?? null;
  return (
    <div className="crop screen none" role="status">
      <p className="small">{held === null ? empty : words.held[held]}</p>
    </div>
  );
}
