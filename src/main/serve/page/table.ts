/** Every message a page may send, with who may send it and what it does. A message of the protocol without a row does not compile. */
import { agentHandlers, type AgentDependencies } from './agents.js';
import { approvalHandlers, type ApprovalDependencies } from './approvals.js';
import { clientHandlers, type ClientDependencies } from './clients.js';
import { commandHandlers, type CommandDependencies } from './commands.js';
import { conversationHandlers, type ConversationDependencies } from './conversation.js';
import type { Definitions, MessageType } from './definition.js';
import { demoHandlers, type DemoDependencies } from './demo.js';
import { gabpAppHandlers, type GabpAppDependencies } from './gabp-apps.js';
import { menubarHandlers, type MenubarDependencies } from './menubar.js';
import { pairingHandlers, type PairingDependencies } from './pairings.js';
import { recordHandlers, type RecordDependencies } from './record.js';
import { settingsHandlers, type SettingsDependencies } from './settings.js';
import { watchHandlers, type WatchHandlerDependencies } from './watching.js';

export type MessageDependencies = AgentDependencies &
  ApprovalDependencies &
  ClientDependencies &
  CommandDependencies &
  ConversationDependencies &
  DemoDependencies &
  GabpAppDependencies &
  MenubarDependencies &
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
  ...pairingHandlers,
  ...recordHandlers,
  ...settingsHandlers,
  ...watchHandlers,
};
