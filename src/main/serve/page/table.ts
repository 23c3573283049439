/** Every message a page may send, with who may send it and what it does. A message of the protocol without a row does not compile. */
import { agentHandlers, type AgentDependencies } from './agents.js';
import { approvalHandlers, type ApprovalDependencies } from './approvals.js';
import {
  clientHandlers,
  type ClientDependencies,
  commandHandlers,
  type CommandDependencies,
  gabpAppHandlers,
  type GabpAppDependencies,
  demoHandlers,
  type DemoDependencies,
} from './programs.js';
import type { Definitions, MessageType, PageRefusal } from './definition.js';
import {
  ownDesktopHandlers,
  type OwnDesktopDependencies,
  watchHandlers,
  type WatchHandlerDependencies,
} from './watching.js';
import { menubarHandlers, type MenubarDependencies } from './menubar.js';
import { pairingHandlers, type PairingDependencies } from './pairings.js';
import { recordHandlers, type RecordDependencies, historyBefore, withoutImages } from './record.js';
import type { Agents } from '../../agents/index.js';
import { message } from '../../../messages/index.js';
import type { Chat } from '../../chat/index.js';
import type { DesktopReader } from '../../../native/desktop.js';
import { switchPreset, withExcluded, type Approvals } from '../../approvals/index.js';
import type { EvidenceRecorder } from '../../evidence/index.js';

// What a person asks and changes on the settings view.

interface SettingsDependencies {
  approvals: Pick<Approvals, 'policy' | 'setPolicy'>;
  desktop: Pick<DesktopReader, 'apps'>;
  recorder: Pick<EvidenceRecorder, 'habits'>;
}

type Handled = 'applications' | 'habits' | 'setPolicy' | 'exclude' | 'setOwnDesktops' | 'setRetention';

const APPS_TIMEOUT_MS = 5_000;

const settingsHandlers: Definitions<Handled, SettingsDependencies> = {
  applications: {
    role: 'paired',
    async handler({ desktop }, _message, signal) {
      const running = await desktop.apps(AbortSignal.any([signal, AbortSignal.timeout(APPS_TIMEOUT_MS)]));
      const byId = new Map(running.map(({ id, name }) => [id, { id, name }]));
      return { apps: [...byId.values()].sort((one, other) => one.name.localeCompare(other.name)) };
    },
  },
  habits: {
    role: 'paired',
    handler: async ({ recorder }) => ({ habits: await recorder.habits() }),
  },
  setPolicy: {
    role: 'paired',
    handler: ({ approvals, person }, { preset }) =>
      approvals.setPolicy(switchPreset(approvals.policy(), preset), person),
  },
  exclude: {
    role: 'paired',
    handler: ({ approvals, person }, { appId, on }) =>
      approvals.setPolicy(withExcluded(approvals.policy(), appId, on), person),
  },
  setOwnDesktops: {
    role: 'paired',
    handler: ({ approvals, person }, { count }) =>
      approvals.setPolicy({ ...approvals.policy(), ownDesktops: count }, person),
  },
  setRetention: {
    role: 'paired',
    handler: ({ approvals, person }, { retention }) =>
      approvals.setPolicy({ ...approvals.policy(), evidence: retention }, person),
  },
};

// Replies to agents, and older parts of the conversation. The only messages that do something for a page that is not paired.

interface ConversationDependencies {
  chat: Pick<Chat, 'answer' | 'earlier' | 'write'>;
  agents: Pick<Agents, 'known'>;
  approvals: Pick<Approvals, 'otherPausedAgents'>;
}

const UNKNOWN: PageRefusal = { ok: false, code: 'unknown_agent', message: message('refused.unknown_agent') };

const conversationHandlers: Definitions<'ack' | 'earlier' | 'write', ConversationDependencies> = {
  ack: {
    role: ({ images = [] }) => (images.length > 0 ? 'paired' : 'chat'),
    handler: ({ chat, page }, { id, message, images = [] }) =>
      chat.answer(id, message, images, page.role() === 'paired'),
  },
  write: {
    role: 'paired',
    handler({ chat, agents, approvals }, { id, text }) {
      const away = () => approvals.otherPausedAgents([]).find((one) => one.id === id)?.agent ?? null;
      const to = agents.known(id) ?? away();
      return to === null ? UNKNOWN : chat.write(to, text);
    },
  },
  earlier: {
    role: 'chat',
    async handler({ chat, page }, { before }) {
      const found = await chat.earlier(before);
      const { events, since } = historyBefore(found.events, before, found.since);
      return { events: page.role() === 'paired' ? events : events.map(withoutImages), since };
    },
  },
};

export type MessageDependencies = AgentDependencies &
  ApprovalDependencies &
  ClientDependencies &
  CommandDependencies &
  ConversationDependencies &
  DemoDependencies &
  GabpAppDependencies &
  MenubarDependencies &
  OwnDesktopDependencies &
  PairingDependencies &
  RecordDependencies &
  SettingsDependencies &
  WatchHandlerDependencies;

export const PAGE_MESSAGES: Definitions<MessageType, MessageDependencies> = {
  ...agentHandlers,
  ...approvalHandlers,
  ...clientHandlers,
  ...commandHandlers,
  ...conversationHandlers,
  ...demoHandlers,
  ...gabpAppHandlers,
  ...menubarHandlers,
  ...ownDesktopHandlers,
  ...pairingHandlers,
  ...recordHandlers,
  ...settingsHandlers,
  ...watchHandlers,
};
