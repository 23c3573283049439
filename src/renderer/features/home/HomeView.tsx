/** The home view: requests, active grants, the conversation and recent activity; before first use, an introduction. */
import { useEffect, useLayoutEffect, useRef, type ReactNode } from 'react';
import { AlertOffer } from '../alerts/AlertChoices.js';
import { RecentActivity } from '../activity/ActivityItem.js';
import { Conversation, FoldedConversation } from '../chat/Conversation.js';
import { FirstRun, needsFirstSteps, useFirstSteps } from '../setup/FirstRun.js';
import { FirstSteps } from '../setup/FirstSteps.js';
import { FullPicture } from '../requests/FullPicture.js';
import { RequestList } from '../requests/RequestList.js';
import { OwnDesktops } from '../desktops/OwnDesktops.js';
import { AppsRegion } from '../apps/AppsRegion.js';
import { RunningTasks } from './RunningTasks.js';
import { useFullPictureRoute, useFullPictureScroll } from '../requests/CardPicture.js';
import { isFresh } from '../../state/select.js';
import type { ViewProps, Actions } from '../../app/actions.js';
import { toPlainText, type ElsewhereHost, type Grant, type KeptCommand } from '../../../main/protocol/index.js';
import type { PageState } from '../../state/state.js';
import { t } from '../../strings.js';
import { CommandText } from '../../ui/commands.js';
import { Icon } from '../../ui/Icon.js';
import { Region } from '../../ui/Region.js';
import { RevealedText } from '../../ui/RevealedText.js';
import { countdown, useNow, clockTime } from '../../ui/formats.js';
import { grantDetail, grantName, useRunningGrants } from '../settings/GrantList.js';
import { ActionRow } from '../../ui/rows.js';
import { useAgentName } from '../../ui/agents.js';
import { Button } from '../../ui/Button.js';

export function HomeView({ state, actions }: ViewProps): ReactNode {
  const pictureCardId = useFullPictureRoute();
  useFullPictureScroll(pictureCardId);
  useScrollPlace(isFresh(state));
  const popover = state.popover === 'here';
  const first = useFirstSteps();
  if (popover && !first.closed && needsFirstSteps(state))
    return <FirstSteps first={first} state={state} actions={actions} />;
  if (isFresh(state))
    return (
      <>
        <HostsElsewhere state={state} />
        <FirstRun state={state} actions={actions} />
      </>
    );
  return (
    <>
      {pictureCardId === null ? null : (
        <FullPicture
          slot={state.slots.find(({ card }) => card.id === pictureCardId)}
          online={state.connection === 'open'}
          actions={actions}
        />
      )}
      <div className="regions" hidden={pictureCardId !== null}>
        <RequestList state={state} actions={actions} />
        <AlertOffer state={state} />
        <OtherDesktops state={state} actions={actions} />
        <AllowedForNow state={state} actions={actions} />
        <RunningCommands state={state} actions={actions} />
        <AppsRegion state={state} actions={actions} onlyAttention />
        <Talk state={state} actions={actions} />
        {popover ? null : <RecentActivity state={state} />}
      </div>
    </>
  );
}

/** Folded in the popover, which has little room. */
const Talk = ({ state, actions }: ViewProps): ReactNode =>
  state.popover === 'here' ? (
    <FoldedConversation state={state} actions={actions} />
  ) : (
    <Conversation state={state} actions={actions} />
  );

function useScrollPlace(fresh: boolean): void {
  useHashTarget();
  useTopWhenUsed(fresh);
}

/** Whatever place of the introduction the person had scrolled to, what comes first is shown first. */
function useTopWhenUsed(fresh: boolean): void {
  const wasFresh = useRef(fresh);
  useLayoutEffect(() => {
    if (wasFresh.current && !fresh) window.scrollTo({ top: 0, behavior: 'instant' });
    wasFresh.current = fresh;
  }, [fresh]);
}

/** Scrolls to the region named in the address, because the browser looked for it before it was rendered. */
function useHashTarget(): void {
  useEffect(() => {
    const arrive = () => {
      const region = /^#[a-z]+$/.test(location.hash) ? document.querySelector<HTMLElement>(location.hash) : null;
      region?.scrollIntoView({ behavior: 'instant' });
      region?.focus({ preventScroll: true });
    };
    arrive();
    window.addEventListener('hashchange', arrive);
    return () => window.removeEventListener('hashchange', arrive);
  }, []);
}

function OtherDesktops({ state, actions }: ViewProps): ReactNode {
  return (
    <>
      <HostsElsewhere state={state} />
      <OwnDesktops state={state} actions={actions} />
    </>
  );
}

// Hosts on other machines that are reached from here, and what waits on each. Everything is answered on their own pages.

function HostsElsewhere({ state }: { state: PageState }): ReactNode {
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

// On the home view: what agents may do now without asking, for how long, how often they did, and a button to revoke it.

interface Props {
  grants: readonly Grant[];
  online: boolean;
  actions: ViewProps['actions'];
}

const AllowedForNow = ({ state, actions }: ViewProps): ReactNode => (
  <>
    <RunningTasks state={state} actions={actions} />
    <ActiveGrants grants={state.grants} online={state.connection === 'open'} actions={actions} />
  </>
);

function ActiveGrants({ grants, online, actions }: Props): ReactNode {
  const now = useNow(online && grants.length > 0);
  const nameOf = useAgentName();
  const running = useRunningGrants(grants, online);
  if (running.length === 0) return null;
  return (
    <section className="region" id="grants" aria-labelledby="h-running">
      <div className="region-h">
        <h2 id="h-running">{t('page.needs.running')}</h2>
      </div>
      <ul className="list">
        {running.map((grant) => (
          <ActionRow
            key={grant.id}
            id={`running-${grant.id}`}
            icon="click"
            name={grantName(grant, nameOf)}
            action={t('page.settings.take_back')}
            disabled={!online}
            onPress={() => actions.send({ type: 'revokeGrant', id: grant.id })}
          >
            <p className="detail num">
              {[remainingText(grant, now), grantDetail({ ...grant, usesLeft: null })]
                .filter((part) => part !== '')
                .join(t('page.marks.comma'))}
            </p>
          </ActionRow>
        ))}
      </ul>
    </section>
  );
}

const HOUR_MS = 3_600_000;

/** `8:12 left, 14 uses`; from an hour on in hours and minutes. */
function remainingText({ expiresAt, usesLeft, used = 0 }: Grant, now: number): string {
  const left = expiresAt === null ? null : Date.parse(expiresAt) - now;
  const time =
    left === null
      ? t('page.needs.no_end')
      : left < HOUR_MS
        ? t('page.needs.time_left', { time: countdown(left) })
        : t('page.needs.time_left', { time: hours(left) });
  const uses = usesLeft === null ? t('page.needs.used', { count: used }) : t('page.settings.uses', { count: usesLeft });
  return [time, uses].join(t('page.marks.comma'));
}

function hours(ms: number): string {
  const minutes = Math.ceil(ms / 60_000);
  return t('page.needs.hours', { hours: Math.floor(minutes / 60), minutes: minutes % 60 });
}

interface CommandsProps {
  state: PageState;
  actions: Pick<Actions, 'send'>;
}

/** Commands that run on after their call, with buttons to end them. */
function RunningCommands({ state, actions }: CommandsProps): ReactNode {
  if (state.role !== 'paired' || state.commands.length === 0) return null;
  return (
    <Region id="commands" heading={t('page.commands.title')}>
      <ul className="list">
        {state.commands.map((command) => (
          <CommandRow key={command.id} command={command} disabled={state.connection !== 'open'} actions={actions} />
        ))}
      </ul>
    </Region>
  );
}

interface RowProps {
  command: KeptCommand;
  disabled: boolean;
  actions: CommandsProps['actions'];
}

function CommandRow({ command, disabled, actions }: RowProps): ReactNode {
  const { id, outlives } = command;
  return (
    <ActionRow
      id={`command-${id}`}
      icon="terminal"
      name={command.command}
      action={t('page.commands.end')}
      disabled={disabled}
      onPress={() => actions.send({ type: 'endCommand', id })}
    >
      <p className="detail">
        <RevealedText
          text={t('page.commands.by', {
            agent: command.agent,
            time: clockTime(command.since),
            processes: command.processes,
          })}
        />
      </p>
      <div className="detail">
        <Button
          variant="sm"
          disabled={disabled}
          aria-describedby={`command-${id}`}
          onClick={() => actions.send({ type: 'outliveCommand', id, on: !outlives })}
        >
          {outlives ? t('page.commands.end_with') : t('page.commands.outlive')}
        </Button>
      </div>
    </ActionRow>
  );
}
