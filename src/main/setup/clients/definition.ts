/** What setup knows of one client. All facts are from the client's own documentation or source. */
import { JSONC } from '../jsonc.js';
import { NAME, type Launcher } from '../launcher.js';
import type { Message } from '../../../messages/index.js';
import type { ClientEntry, Format } from '../edit.js';
import type { UserEnvironment } from '../client-paths.js';

export interface ClientDefinition {
  /** On the search path where it is installed. */
  commands: readonly string[];
  /** On macOS. */
  applications: readonly string[];
  /** There once the client was started. */
  folder(machine: UserEnvironment): string;
  /** The files that hold its servers. A scope without a file is one that the client does not have. */
  files: Partial<ConfigFiles>;
  format: Format;
  /** Of the entry in the file. */
  path: readonly string[];
  entry(launcher: Launcher): ClientEntry;
  /** Where the printed entry belongs. */
  where: Message;
}

interface ConfigFiles {
  user(machine: UserEnvironment): string;
  project(folder: string): string;
}

/** The form that most clients share. */
export const SERVERS_IN_JSON = { format: JSONC, path: ['mcpServers', NAME] };
