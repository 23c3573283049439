import type { Notification, Shell, NotificationConstructorOptions } from 'electron';
import {
  askerKind,
  fullAskerName,
  shownAs,
  toPlainText,
  titleParts,
  type AgentMessage,
  type Card,
  type Health,
  MAX_AGENT_NAME_LENGTH,
} from '../protocol/index.js';
import { type Formatter, message } from '../../messages/index.js';
import type { MenubarHost } from '../host/index.js';
import type { Popover } from './popover.js';
import type { Electron } from './options.js';

/** Two reminders; after that the number on the icon is enough. */
const REMIND_AFTER_MS = [60_000, 180_000];
const MAX_BODY_CHARS = 120;

interface AlertsOptions {
  notices: Pick<Notices, 'show'>;
  shell: Pick<Shell, 'beep'>;
  menubar: Pick<MenubarHost, 'cards' | 'onCard' | 'questions' | 'onChange' | 'deny' | 'nameOf'>;
  popover: Pick<Popover, 'show' | 'showInactive' | 'hide' | 'hasFocus'>;
  words: Formatter;
  platform: NodeJS.Platform;
  remindAfterMs?: readonly number[];
}

interface Alert {
  shown: Notification | null;
  timers: NodeJS.Timeout[];
}

/** A request has buttons in its notification, a question has none. There is no Allow: it is pressed where the card can be seen. */
type Kind = 'request' | 'question';
const OPEN = 0;
const DENY = 1;

/** Alerts the person to what waits: shows the popover without the focus, sends a notification with sound, and reminds. A notification can open or deny, never allow. */
export function createAlerts(options: AlertsOptions): { close(): void } {
  const { notices, shell, menubar, popover, words, platform } = options;
  const alerts = new Map<string, Alert>();
  /** Questions from before this start are on the page already; they cause no alert. */
  const asked = new Set(menubar.questions().map(({ ack_id }) => ack_id));

  /** Only macOS shows a notification's buttons. */
  const buttons =
    platform === 'darwin'
      ? (['open', 'deny'] as const).map((name) => ({ type: 'button' as const, text: words.text(`app.alert.${name}`) }))
      : [];

  /** The open requests that are shown on one card with this one. */
  const shownWith = (id: string): Card[] => {
    const cards = menubar.cards();
    const own = cards.find((card) => card.id === id);
    return own === undefined ? [] : cards.filter((card) => shownAs(card) === shownAs(own));
  };

  function press(id: string, index: number): void {
    // Of several it named the first only: where all are shown, the person denies what they mean.
    if (index === DENY && shownWith(id).length < 2 && menubar.deny(id)) return;
    if (index === OPEN || index === DENY) void popover.show();
  }

  function notify(id: string, kind: Kind, title: string, body: string): void {
    const alert = alerts.get(id);
    if (alert === undefined || popover.hasFocus()) return;
    alert.shown?.close();
    alert.shown = null;
    const actions = kind === 'request' ? buttons : [];
    const shown = notices.show({ title, body, silent: false, timeoutType: 'default', actions });
    if (shown === null) return;
    shown.on('click', () => void popover.show());
    shown.on('action', ({ actionIndex }) => press(id, actionIndex));
    alert.shown = shown;
    // On other systems notifications are often silent.
    if (platform !== 'darwin') shell.beep();
  }

  function begin(id: string, kind: Kind, title: string, body: string): void {
    if (alerts.has(id)) return;
    const after = options.remindAfterMs ?? REMIND_AFTER_MS;
    const timers = after.map((ms) => setTimeout(() => notify(id, kind, title, body), ms).unref());
    alerts.set(id, { shown: null, timers });
    notify(id, kind, title, body);
  }

  function end(id: string): void {
    const alert = alerts.get(id);
    if (alert === undefined) return;
    alerts.delete(id);
    alert.timers.forEach(clearTimeout);
    alert.shown?.close();
  }

  function onCard(card: Card): void {
    if (card.orphaned) return end(card.id);
    popover.showInactive();
    if (shownWith(card.id).some(({ id }) => alerts.has(id))) return;
    const agent = shownName(options, card.agent);
    const title = words.text('app.alert.wants', { who: askerKind(card.agent), agent });
    begin(card.id, 'request', title, bodyOf(words, card));
  }

  /** Hides the popover when nothing else waits, because it may cover what was allowed. */
  function onResolved(id: string, allowed: boolean): void {
    end(id);
    if (menubar.cards().length === 0 && (allowed || !popover.hasFocus())) popover.hide();
  }

  function updateQuestions(): void {
    const open = new Map(menubar.questions().map((question) => [question.ack_id, question]));
    for (const id of asked) {
      if (open.has(id)) continue;
      asked.delete(id);
      end(id);
    }
    for (const [id, { agent, text }] of open) {
      if (asked.has(id)) continue;
      asked.add(id);
      const title = words.text('app.alert.asks', { agent: shownName(options, agent) });
      begin(id, 'question', title, toPlainText(text, MAX_BODY_CHARS));
    }
  }

  const unsubscribe = [
    menubar.onCard((event) => {
      if (event.kind === 'resolved') onResolved(event.id, event.decision === 'allow');
      else onCard(event.card);
    }),
    menubar.onChange(updateQuestions),
  ];
  return {
    close() {
      unsubscribe.forEach((stop) => stop());
      for (const id of [...alerts.keys()]) end(id);
    },
  };
}

const shownName = ({ words, menubar }: AlertsOptions, agent: AgentMessage['agent']): string =>
  toPlainText(fullAskerName(words, agent, menubar.nameOf(agent.id)), MAX_AGENT_NAME_LENGTH * 2);

/** Names are made harmless, and short enough that none pushes the others away. */
function bodyOf(words: Formatter, { subject }: Card): string {
  return titleParts(words, subject)
    .map(({ kind, text }) => (kind === 'value' ? toPlainText(text, MAX_BODY_CHARS) : text))
    .join('');
}

/** Notifications of the system. One that it does not show is replaced by a beep, and Health says why. */
export class Notices {
  #failure: string | null = null;

  constructor(readonly electron: Pick<Electron, 'Notification' | 'shell'>) {}

  /** null where this system has no notifications. */
  show(options: NotificationConstructorOptions): Notification | null {
    const { Notification, shell } = this.electron;
    if (!Notification.isSupported()) {
      shell.beep();
      return null;
    }
    const shown = new Notification(options);
    shown.once('show', () => (this.#failure = null));
    // macOS shows none of an app without a valid signature, nor where the person has switched them off.
    shown.once('failed', (_event, why) => {
      this.#failure = why;
      shell.beep();
    });
    shown.show();
    return shown;
  }

  issues(): Health['issues'] {
    if (this.#failure === null) return [];
    const title = message('health.no_notifications', { why: this.#failure });
    return [{ title, fix: message('health.notifications_fix') }];
  }
}
