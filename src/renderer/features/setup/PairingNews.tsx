/** Which other pages were paired, until the person has dismissed it: nobody pairs a page unseen. */
import type { ReactNode } from 'react';
import type { Actions } from '../../app/actions.js';
import { hrefOf } from '../../app/route.js';
import { clockTime } from '../../ui/time.js';
import type { PairingNews as News } from '../../state/state.js';
import { strings } from '../../strings.js';
import { Frame } from '../../ui/Banner.js';
import { Button } from '../../ui/Button.js';
import { Shown } from '../../ui/Shown.js';

interface Props {
  news: readonly News[];
  actions: Pick<Actions, 'dismissPairings'>;
}

export function PairingNews({ news, actions }: Props): ReactNode {
  if (news.length === 0) return null;
  const { pairing } = strings.settings;
  const title = news.some(({ before }) => !before) ? pairing.another : pairing.earlier;
  const action = (
    <span className="acts">
      <a className="btn sm" href={hrefOf({ view: 'settings' })}>
        {strings.views.settings}
      </a>
      <Button look="sm" onClick={() => actions.dismissPairings(news.map(({ keyId }) => keyId))}>
        {strings.banner.dismiss}
      </Button>
    </span>
  );
  return (
    <div data-part="pairing-news">
      <Frame tone="wait" icon="link" title={title} role="status" action={action}>
        <span className="lines">
          {news.map((one) => (
            <span key={`${one.keyId} ${one.pairedAt}`}>
              <Shown text={describe(one)} />
            </span>
          ))}
          <span>{pairing.check}</span>
        </span>
      </Frame>
    </div>
  );
}

function describe({ pairedAt, by, browser, endedAt }: News): string {
  const { pairing, pairedAt: paired } = strings.settings;
  const parts = [
    paired(clockTime(pairedAt), by),
    ...(browser === null || browser === undefined ? [] : [pairing.inBrowser(browser)]),
    ...(endedAt === null ? [] : [pairing.ended(clockTime(endedAt))]),
  ];
  return `${parts.join(strings.marks.comma)}${strings.marks.stop}`;
}
