/** Switches for alerts of this browser, and the offer to turn them on once the person has answered a first request. */
import { useState, type ReactNode, useEffect, useRef, useSyncExternalStore } from 'react';
import type { PageState } from '../../state/state.js';
import { countEnded, type Waiting } from '../../state/select.js';
import { t, formatter } from '../../strings.js';
import type { NameOf } from '../../ui/agents.js';
import { Button } from '../../ui/Button.js';
import { Region } from '../../ui/Region.js';
import { createEmitter } from '../../../base/emitter.js';
import { MAX_AGENT_NAME_LENGTH, titleText, toPlainText } from '../../../main/protocol/index.js';
import { storedChoice } from '../../ui/browser-storage.js';

const ALERTS: readonly Alert[] = ['notification', 'sound'];

/** Nothing in the popover: the menu bar app tells in its own way. */
export function AlertSettings({ popover }: { popover: boolean }): ReactNode {
  if (popover) return null;
  return (
    <Region id="alerts" heading={t('page.alerts.heading')}>
      <div className="panel">
        <div className="panel-b">
          {ALERTS.map((alert) => (
            <AlertSwitch key={alert} alert={alert} />
          ))}
        </div>
      </div>
    </Region>
  );
}

function AlertSwitch({ alert }: { alert: Alert }): ReactNode {
  const state = useAlertState(alert);
  return (
    <label className="small check">
      <input
        type="checkbox"
        checked={state === 'on'}
        disabled={state === 'blocked'}
        onChange={(event) => void setAlert(alert, event.target.checked)}
      />
      <span>{t(`page.alerts.${alert}`)}</span>
      {state === 'blocked' ? <span className="mut">{t('page.alerts.blocked')}</span> : null}
    </label>
  );
}

/** Shown once the person has answered a request, and knows what waits for them. */
export function AlertOffer({ state: { slots, popover } }: { state: PageState }): ReactNode {
  const state = useAlertState('notification');
  const [closed, setClosed] = useState(false);
  if (popover === 'here' || closed || state !== 'unasked' || countEnded(slots).answered === 0) return null;
  const choose = (on: boolean) => {
    setClosed(true);
    void setAlert('notification', on);
  };
  return (
    <div className="note offer" role="group" aria-label={t('page.alerts.offer')}>
      <span>{t('page.alerts.offer')}</span>
      <Button variant="sm" onClick={() => choose(true)}>
        {t('page.alerts.offer_yes')}
      </Button>
      <Button variant="sm" onClick={() => choose(false)}>
        {t('page.alerts.offer_no')}
      </Button>
    </div>
  );
}

/** How this browser tells a person who looks elsewhere that an agent waits: a notification, a sound, and a count in the tab's icon. */
type Alert = 'notification' | 'sound';
const ON_OR_OFF = ['on', 'off'] as const;
const STORED = { notification: storedChoice('notify', ON_OR_OFF), sound: storedChoice('sound', ON_OR_OFF) };
const changes = createEmitter<void>(() => undefined);
const MAX_BODY_CHARS = 160;

/** `on`, `off`, or `unasked`: the person has not been asked. `blocked`: the browser refuses it for this page. */
type AlertState = 'on' | 'off' | 'unasked' | 'blocked';

function alertState(alert: Alert): AlertState {
  const stored = STORED[alert].read();
  if (alert === 'sound') return stored ?? 'off';
  if (typeof Notification === 'undefined' || Notification.permission === 'denied') return 'blocked';
  if (Notification.permission === 'default') return stored === 'off' ? 'off' : 'unasked';
  return stored ?? 'on';
}

/** Call in a press of the person's: only then does a browser ask for permission, or play a sound. */
async function setAlert(alert: Alert, on: boolean): Promise<void> {
  STORED[alert].write(on ? 'on' : 'off');
  if (on && alert === 'notification' && typeof Notification !== 'undefined') await Notification.requestPermission();
  if (on && alert === 'sound') playSound();
  changes.emit();
}

const useAlertState = (alert: Alert): AlertState => useSyncExternalStore(changes.on, () => alertState(alert));

/** Tells of each request and question that came while nobody looked at the page. */
export function useAlerts(waiting: readonly Waiting[], nameOf: NameOf): void {
  const known = useRef<ReadonlySet<string> | null>(null);
  useEffect(() => {
    const before = known.current;
    known.current = new Set(waiting.map(({ id }) => id));
    showCount(waiting.length);
    const fresh = before === null ? [] : waiting.filter(({ id }) => !before.has(id));
    if (fresh.length === 0 || isLookedAt()) return;
    if (alertState('sound') === 'on') playSound();
    if (alertState('notification') === 'on') for (const one of fresh) notify(one, nameOf);
  }, [waiting, nameOf]);
}

const isLookedAt = (): boolean => document.visibilityState === 'visible' && document.hasFocus();

function notify(one: Waiting, nameOf: NameOf): void {
  const [agent, what] =
    one.kind === 'request'
      ? [nameOf(one.slot.card.agent), askedFor(one)]
      : [nameOf(one.message.agent), t('page.alerts.question')];
  // One for each: a later one of the same replaces it.
  const shown = new Notification(toPlainText(agent, MAX_AGENT_NAME_LENGTH * 2), {
    body: toPlainText(what, MAX_BODY_CHARS),
    tag: one.id,
  });
  shown.onclick = () => {
    window.focus();
    shown.close();
  };
}

const askedFor = ({ slot, count }: Extract<Waiting, { kind: 'request' }>): string =>
  count === 1 ? titleText(formatter, slot.card.subject) : t('page.card.together', { count });

const TONES_HZ = [660, 880];
const TONE_S = 0.12;

/** Two short tones. A browser plays none before the person has pressed something on the page. */
function playSound(): void {
  const audio = new AudioContext();
  const volume = new GainNode(audio, { gain: 0.08 });
  volume.connect(audio.destination);
  const tones = TONES_HZ.map((frequency, index) => {
    const tone = new OscillatorNode(audio, { frequency });
    tone.connect(volume);
    tone.start(index * TONE_S);
    tone.stop((index + 1) * TONE_S);
    return tone;
  });
  tones.at(-1)?.addEventListener('ended', () => void audio.close());
}

/** The tab's icon, with the number of what waits. */
function showCount(count: number): void {
  const icon = document.querySelector<HTMLLinkElement>('link[rel="icon"]');
  if (icon === null) return;
  const mark = (icon.dataset['mark'] ??= icon.href);
  icon.href = count === 0 ? mark : `data:image/svg+xml,${encodeURIComponent(countIcon(count))}`;
}

const countIcon = (count: number): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><circle cx="16" cy="16" r="16" fill="#c8321e"/><text x="16" y="23" text-anchor="middle" font-family="sans-serif" font-weight="700" font-size="${count > 9 ? 17 : 21}" fill="#fff">${count > 99 ? '99' : count}</text></svg>`;
