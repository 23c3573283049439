/** Absolute paths of macOS's own programs. */
export interface ScriptPrograms {
  osascript: string;
  osacompile: string;
}

/** null where the system has none. */
export function systemScripts(platform: string = process.platform): ScriptPrograms | null {
  return platform === 'darwin' ? { osascript: '/usr/bin/osascript', osacompile: '/usr/bin/osacompile' } : null;
}
