/** Every promise, from all documents. */
import { ACTS } from './acts.js';
import { AGENTS_TOLD } from './agents-told.js';
import { APP_DESK } from './app-desk.js';
import { APP_PACKAGING, APP_UPDATES, NEW_MACHINE } from './app-packaging.js';
import { APP_PAGE } from './app-page.js';
import { APP_RECORD } from './app-record.js';
import { APP_SETUP } from './app-setup.js';
import { APP_SHELL } from './app-shell.js';
import { CHAT } from './chat.js';
import { CLIENTS } from './clients.js';
import { COMMANDS } from './commands.js';
import { CONTRACT } from './contract.js';
import { DEMO } from './demo.js';
import { DESIGN } from './design.js';
import { EDGES } from './edges.js';
import { OWN_FILES } from './own-files.js';
import { PRESSES } from './presses.js';
import { GABP } from './gabp.js';
import { GABP_CLIENT } from './gabp-client.js';
import { GABP_TRAPS } from './gabp-traps.js';
import { GABP_LAUNCHED } from './gabp-launched.js';
import { HARMLESS } from './harmless.js';
import { IDENTITY } from './identity.js';
import { KEYBOARDS, KEYS } from './keys.js';
import { MACOS_BACKEND } from './macos-backend.js';
import { MACOS_BRIDGE } from './macos-bridge.js';
import { MACOS_PERMISSIONS, MACOS_SELF_TEST } from './macos-permissions.js';
import { MACOS_SCRIPTS } from './macos-scripts.js';
import { MACOS_WAY_IN } from './macos-way-in.js';
import { MCP } from './mcp.js';
import { MCP_HTTP } from './mcp-http.js';
import { MCP_RESOURCES } from './mcp-resources.js';
import { APPLICATIONS, MENUS } from './menus.js';
import { LIMITS } from './limits.js';
import { OVERLAYS } from './overlays.js';
import { OUT_OF_VIEW } from './out-of-view.js';
import { NEWCOMER, PAGE_WAITING, TOGETHER } from './page-waiting.js';
import { PAIRING, PERSON } from './pairing.js';
import { PLACES } from './places.js';
import { RACES } from './races.js';
import { REMOTE } from './remote.js';
import type { Requirement } from './requirement.js';
import { SIGHT } from './sight.js';
import { SPEED } from './speed.js';
import { TRUTH } from './truth.js';

export const REQUIREMENTS: readonly Requirement[] = [
  ...ACTS,
  ...KEYS,
  ...KEYBOARDS,
  ...CONTRACT,
  ...CHAT,
  ...CLIENTS,
  ...GABP,
  ...GABP_LAUNCHED,
  ...GABP_CLIENT,
  ...GABP_TRAPS,
  ...PRESSES,
  ...HARMLESS,
  ...MACOS_BACKEND,
  ...MACOS_BRIDGE,
  ...MACOS_PERMISSIONS,
  ...MACOS_SELF_TEST,
  ...MACOS_SCRIPTS,
  ...MACOS_WAY_IN,
  ...MCP,
  ...MCP_HTTP,
  ...MCP_RESOURCES,
  ...REMOTE,
  ...APPLICATIONS,
  ...MENUS,
  ...DESIGN,
  ...EDGES,
  ...AGENTS_TOLD,
  ...APP_DESK,
  ...APP_PAGE,
  ...APP_RECORD,
  ...APP_SETUP,
  ...APP_SHELL,
  ...APP_PACKAGING,
  ...APP_UPDATES,
  ...NEW_MACHINE,
  ...COMMANDS,
  ...DEMO,
  ...OUT_OF_VIEW,
  ...PAGE_WAITING,
  ...NEWCOMER,
  ...TOGETHER,
  ...TRUTH,
  ...SIGHT,
  ...SPEED,
  ...PAIRING,
  ...PERSON,
  ...IDENTITY,
  ...OWN_FILES,
  ...PLACES,
  ...RACES,
  ...OVERLAYS,
  ...LIMITS,
];
