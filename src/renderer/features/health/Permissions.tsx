/** The permissions the system gives Chaperone, and how to grant missing ones. Showing them triggers no prompt. */
import type { ReactNode } from 'react';
import { paneSchema, type Health } from '../../../main/protocol/index.js';
import type { Actions } from '../../app/actions.js';
import type { PageState } from '../../state/state.js';
import { textIfKnown, say, t } from '../../strings.js';
import { Button } from '../../ui/Button.js';
import { CopyLine, SentenceText } from '../../ui/commands.js';
import { RevealedText } from '../../ui/RevealedText.js';
import { Region } from '../../ui/Region.js';
import { Icon, type IconName } from '../../ui/Icon.js';

type State = Health['permissions'][string];

const LEVELS: Record<State, HealthLevel> = { granted: 'good', missing: 'bad', stale: 'warn', unknown: 'none' };
/** The names macOS resets a permission by. */
const SERVICES: ReadonlyMap<string, string> = new Map([
  ['accessibility', 'Accessibility'],
  ['screenRecording', 'ScreenCapture'],
  ['automation', 'AppleEvents'],
]);
const APP_NAME = 'Chaperone';
const APP_ID = 'dev.chaperone.app';
const INSTALL_ATSPI = 'sudo apt-get install --no-install-recommends at-spi2-core';

interface Props {
  health: Health;
  state: PageState;
  actions: Actions;
}

export function Permissions({ health, state, actions }: Props): ReactNode {
  return (
    <Region id="permissions" heading={t('page.health.permissions')}>
      {health.grantee === undefined ? null : (
        <p className="muted">
          <RevealedText text={t('page.health.grantee', health.grantee)} />
        </p>
      )}
      <ul className="list">
        {rowsOf(health).map(([name, given]) => {
          const [title, why] = namesOf(name, health);
          return (
            <HealthRow
              key={name}
              title={title}
              text={why}
              level={LEVELS[given]}
              status={t(`page.settings.permissions.${given}`)}
            >
              {given === 'granted' ? null : (
                <HowToGrant name={name} title={title} given={given} {...{ health, state, actions }} />
              )}
            </HealthRow>
          );
        })}
      </ul>
      {health.relaunch !== true || state.popover === 'none' ? null : (
        <div className="fix">
          <p>{t('page.health.relaunch_text')}</p>
          <Button
            variant="sm"
            icon="refresh"
            disabled={state.connection !== 'open'}
            onClick={() => actions.send({ type: 'relaunch' })}
          >
            {t('page.health.relaunch')}
          </Button>
        </div>
      )}
    </Region>
  );
}

/** One for each permission, then one for each application. */
const rowsOf = ({ permissions, automation = [] }: Health): (readonly [name: string, State])[] => [
  ...Object.entries(permissions),
  ...automation.map(({ application, state }) => [`automation: ${application}`, state] as const),
];

function namesOf(name: string, { system }: Health): readonly [title: string, why: string | null] {
  const [, base = name, target] = /^([^:]*):\s*(.*)$/s.exec(name) ?? [];
  const own = (part: 'name' | 'text') =>
    (system === undefined ? null : textIfKnown(`page.health.${system}.${base}.${part}`)) ??
    textIfKnown(`page.health.names.${base}.${part}`);
  const title = own('name');
  if (title === null) return [spacedName(name), null];
  return [target === undefined ? title : `${title}${t('page.marks.colon')}${target}`, own('text')];
}

/** `screenRecording` → `Screen recording`. */
function spacedName(name: string): string {
  const spaced = name
    .replace(/[_-]+/g, ' ')
    .replace(/([a-z])([A-Z])/g, (_, a: string, b: string) => `${a} ${b.toLowerCase()}`);
  return spaced.charAt(0).toUpperCase() + spaced.slice(1);
}

interface HowToGrantProps extends Props {
  name: string;
  title: string;
  given: State;
}

function HowToGrant({ name, title, given, health, state, actions }: HowToGrantProps): ReactNode {
  const fix = health.issues.find(({ about }) => about === name)?.fix ?? null;
  if (health.system === 'macos') return <HowToGrantOnMac {...{ name, title, given, health, state, actions }} />;
  return (
    <div className="fix">
      {name === 'accessibility' && health.system === 'linux' ? (
        <>
          <p>{t('page.health.linux_missing')}</p>
          <CopyLine text={INSTALL_ATSPI} />
        </>
      ) : name === 'screenRecording' && health.system === 'linux' ? (
        <p>{t('page.health.screen_missing')}</p>
      ) : (
        <p>{fix === null ? t('page.health.unknown') : <SentenceText text={say(fix)} />}</p>
      )}
    </div>
  );
}

function HowToGrantOnMac({ name, title, given, health, state, actions }: HowToGrantProps): ReactNode {
  const { name: app, path = null } = health.grantee ?? { name: APP_NAME };
  const [paneTitle] = title.split(t('page.marks.colon'), 1);
  const pane = paneSchema.safeParse(name.split(':')[0]);
  const service = SERVICES.get(name.split(':')[0] ?? '');
  if (given === 'unknown')
    return (
      <div className="fix">
        <p>{t('page.health.unknown')}</p>
      </div>
    );
  return (
    <div className="fix">
      {given === 'stale' && service !== undefined ? (
        <HowToRenew title={title} service={service} app={app} />
      ) : (
        <Steps
          of={[
            t('page.health.open_pane', { pane: paneTitle ?? title }),
            t('page.health.switch_on', { app }),
            ...(path === null ? [] : [t('page.health.drag', { app, path })]),
            t('page.health.come_back'),
          ]}
        />
      )}
      {pane.success && state.popover !== 'none' ? (
        <Button
          variant="sm"
          icon="external"
          disabled={state.connection !== 'open'}
          onClick={() => actions.send({ type: 'openPermission', pane: pane.data })}
        >
          {t('page.health.open_settings')}
        </Button>
      ) : null}
    </div>
  );
}

/** An entry of an older build. */
function HowToRenew({ title, service, app }: { title: string; service: string; app: string }): ReactNode {
  return (
    <>
      <p>{t('page.health.stale')}</p>
      <Steps
        of={[
          t('page.health.open_pane', { pane: title }),
          t('page.health.remove_entry', { app }),
          t('page.health.add_entry'),
          t('page.health.come_back'),
        ]}
      />
      {app === APP_NAME ? (
        <>
          <p>{t('page.health.remove_by_command')}</p>
          <CopyLine text={`tccutil reset ${service} ${APP_ID}`} />
        </>
      ) : null}
    </>
  );
}

function Steps({ of }: { of: readonly string[] }): ReactNode {
  return (
    <ol className="steps-in">
      {of.map((step) => (
        <li key={step}>
          <RevealedText text={step} />
        </li>
      ))}
    </ol>
  );
}

/** A row of the health view: title, status, and below it what to do. */
type HealthLevel = 'good' | 'bad' | 'warn' | 'none';

const LEVEL_ICONS: Record<HealthLevel, { icon: IconName; tone: string }> = {
  good: { icon: 'success', tone: 'ok' },
  bad: { icon: 'failure', tone: 'bad' },
  warn: { icon: 'alert', tone: 'wait' },
  none: { icon: 'minus', tone: '' },
};

interface RowProps {
  title: string;
  text?: string | null;
  level: HealthLevel;
  status: string;
  children?: ReactNode;
}

export function HealthRow({ title, text = null, level, status, children = null }: RowProps): ReactNode {
  const { icon, tone } = LEVEL_ICONS[level];
  return (
    <li className="item" data-anchor>
      <Icon name={icon} tone={`tone-${tone}`} />
      <span className="name">
        <RevealedText text={title} />
      </span>
      <span className={`out ${tone}`}>{status}</span>
      {text === null ? null : (
        <p className="detail">
          <RevealedText text={text} />
        </p>
      )}
      {children}
    </li>
  );
}
