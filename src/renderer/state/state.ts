/** The whole state of the page. Only `reduce` changes it. */
import type {
  Activity,
  Card,
  ChatEvent,
  GabpAppNews,
  Grant,
  GivenName,
  Health,
  KeptCommand,
  PairedPage,
  PairingNews,
  PopoverPlace,
  Role,
  ShownPolicy,
  Status,
} from '../../main/protocol/index.js';

type ConnectionState = 'connecting' | 'open' | 'lost';
/** `unsure` until the host has checked this page's key, so that no other state flashes by. */
export type Identity = 'unsure' | 'known' | 'none' | 'refused';

export interface Settled {
  decision: 'allow' | 'deny';
  by: string;
  reason: 'denied' | 'timeout' | 'withdrawn' | 'paused' | 'stopped' | 'gone' | null;
  message: string | null;
}

/** A place among the requests: first a card, then its result. Slots keep their order. */
export interface Slot {
  card: Card;
  /** The content was replaced while it was shown. */
  changed: boolean;
  /** The decision on its way to the host. */
  sent: 'allow' | 'deny' | null;
  /** Why the host refused that decision. */
  problem: string | null;
  settled: Settled | null;
}

interface Notice {
  code: string;
  message: string;
}

/** Events after `after` and up to `upTo` are not kept: they are far from what is read, and not the newest. */
export interface ChatGap {
  after: number;
  upTo: number;
}

export interface PageState {
  connection: ConnectionState;
  /** When the next attempt to connect starts, in ms since 1970. */
  retryAt: number | null;
  /** The host has sent its first greeting; before that there is nothing to show. */
  greeted: boolean;
  role: Role;
  popover: PopoverPlace;
  /** What a person types to call the command line. */
  command: string;
  identity: Identity;
  /** Why the host did not take this page's key or link. */
  refusal: string | null;
  /** False where the host gives an unpaired page nothing of the conversation. */
  mayRead: boolean;
  /** Where a person has to confirm this page; null: it waits for nobody. */
  confirmedIn: 'page' | 'popover' | null;
  cursor: number;
  chat: ChatEvent[];
  /** Everything said after this number is in `chat`, but for the gap; 0: there is nothing earlier. */
  since: number;
  gap: ChatGap | null;
  pending: string[];
  /** Replies on their way, by question. */
  replying: Record<string, true>;
  replyProblems: Record<string, string>;
  slots: Slot[];
  activity: Activity[];
  grants: Grant[];
  pairings: PairedPage[];
  commands: KeptCommand[];
  gabpApps: Pick<GabpAppNews, 'apps' | 'fault'>;
  /** News of pairings that this page has not dismissed. */
  pairingNews: PairingNews[];
  policy: ShownPolicy | null;
  health: Health | null;
  /** What the person calls agents. */
  names: readonly GivenName[];
  status: Status;
  notice: Notice | null;
}

export const initialState: PageState = {
  connection: 'connecting',
  retryAt: null,
  greeted: false,
  role: 'unpaired',
  popover: 'none',
  command: 'chaperone',
  identity: 'unsure',
  refusal: null,
  mayRead: true,
  confirmedIn: null,
  cursor: 0,
  chat: [],
  since: 0,
  gap: null,
  pending: [],
  replying: {},
  replyProblems: {},
  slots: [],
  activity: [],
  grants: [],
  pairings: [],
  commands: [],
  gabpApps: { apps: [], fault: null },
  pairingNews: [],
  policy: null,
  health: null,
  status: { state: 'watching', paused: null, agents: [], recordVerified: true },
  names: [],
  notice: null,
};
