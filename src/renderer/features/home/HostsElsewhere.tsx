/** Hosts on other machines that are reached from here, and what waits on each. Everything is answered on their own pages. */
import type { ReactNode } from 'react';
import { toPlainText, type ElsewhereHost } from '../../../main/protocol/index.js';
import type { PageState } from '../../state/state.js';
import { t } from '../../strings.js';
import { CommandText } from '../../ui/CommandText.js';
import { Icon } from '../../ui/Icon.js';
import { Region } from '../../ui/Region.js';
import { RevealedText } from '../../ui/RevealedText.js';

export function HostsElsewhere({ state }: { state: PageState }): ReactNode {
  const hosts = state.status?.elsewhere ?? [];
  if (state.role !== 'paired' || hosts.length === 0) return null;
  return (
    <Region id="elsewhere" heading={t('page.elsewhere.title')}>
      <ul className="list">
        {hosts.map((host, index) => (
          <Row key={`${host.address} ${index}`} host={host} />
        ))}
      </ul>
    </Region>
  );
}

function Row({ host: { address, state, url, waiting, by } }: { host: ElsewhereHost }): ReactNode {
  const lost = state === 'lost';
  const tone = lost || waiting > 0 ? 'wait' : '';
  return (
    <li className="item" data-anchor>
      <Icon name="link" />
      <span className="name">
        <RevealedText text={address} />
      </span>
      {url === null || lost ? null : (
        <a
          className="btn sm"
          href={url}
          target="_blank"
          rel="noopener noreferrer"
          aria-label={t('page.elsewhere.open_of', { address })}
        >
          {t('page.elsewhere.open')}
        </a>
      )}
      <p className="detail">
        <span className={`out wrap ${tone}`}>
          <Icon name={lost ? 'unplug' : waiting > 0 ? 'alert' : 'success'} />
          {lost ? t('page.elsewhere.lost') : t('page.elsewhere.waiting', { waiting })}
        </span>
        {by === undefined ? null : (
          <span className="out wrap">
            {t('page.elsewhere.by', { agent: toPlainText(by) })} <CommandText text="connect" />
          </span>
        )}
      </p>
    </li>
  );
}
