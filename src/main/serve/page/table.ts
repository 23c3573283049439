/** Every message a page may send, with who may send it and what it does. A message of the protocol without a row does not compile. */
import { agentMessages, type AgentDependencies } from './agents.js';
import { approvalMessages, type ApprovalDependencies } from './approvals.js';
import { clientMessages, type ClientDependencies } from './clients.js';
import { commandMessages, type CommandDependencies } from './commands.js';
import { conversationMessages, type ConversationDependencies } from './conversation.js';
import type { Definitions, Type } from './definition.js';
import { demoMessages, type DemoDependencies } from './demo.js';
import { menubarMessages, type MenubarDependencies } from './menubar.js';
import { pairingMessages, type PairingDependencies } from './pairings.js';
import { recordMessages, type RecordDependencies } from './record.js';
import { settingsMessages, type SettingsDependencies } from './settings.js';
import { watchMessages, type WatchDependencies } from './watching.js';

export type MessageDependencies = AgentDependencies &
  ApprovalDependencies &
  ClientDependencies &
  CommandDependencies &
  ConversationDependencies &
  DemoDependencies &
  MenubarDependencies &
  PairingDependencies &
  RecordDependencies &
  SettingsDependencies &
  WatchDependencies;

export const PAGE_MESSAGES: Definitions<Type, MessageDependencies> = {
  ...agentMessages,
  ...approvalMessages,
  ...clientMessages,
  ...commandMessages,
  ...conversationMessages,
  ...demoMessages,
  ...menubarMessages,
  ...pairingMessages,
  ...recordMessages,
  ...settingsMessages,
  ...watchMessages,
};
