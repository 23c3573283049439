import { spawn } from 'node:child_process';
import { message } from '../../../messages/index.js';
import { DesktopError } from '../../desktop.js';

/** The shell program; its only argument is the folder. */
export const CLEANUP_SCRIPT = `
mark="XDG_RUNTIME_DIR=$1"
sweep() {
  left=0
  for entry in $(grep -lzxF -- "$mark" /proc/[0-9]*/environ 2>/dev/null); do
    pid=\${entry#/proc/}; pid=\${pid%/environ}
    case "$2 $(cat "/proc/$pid/comm" 2>/dev/null)" in
      "programs chrome_crashpad"*) left=1 ;;
      *) kill -"$1" "$pid" 2>/dev/null && left=1 ;;
    esac
  done
}
cat >/dev/null
trap '' TERM INT HUP
step=0
while [ $step -lt 35 ]; do
  case $step in
    0) sweep TERM programs ;;
    1) sweep CONT programs ;;
    [2-9]) sweep 0 programs ;;
    [12]?) sweep KILL programs ;;
    *) sweep KILL all ;;
  esac
  [ $step != 0 ] && [ "$left" = 0 ] && break
  step=$((step + 1))
  sleep 0.1
done
rm -rf -- "$1"
[ "$left" = 0 ]
`;

/**
 * Ends every process of a session, even when the host is killed: a shell in its own process group waits for the end
 * of its standard input, then ends all processes whose XDG_RUNTIME_DIR is the session's, and removes the folder.
 * The kernel closes that pipe with the host, so no code of the host has to run. Processes are found by their
 * environment, not by a list of ids, so those that the session's programs have started are found too. Chromium
 * overwrites its environment, so it is not found; it crashes when its X server ends. Its crash handler, which stops it meanwhile, is
 * left to finish: ended too early, it would leave Chromium stopped for good.
 */
export function startSessionCleanup(folder: string, path: string) {
  const child = spawn('/bin/sh', ['-c', CLEANUP_SCRIPT, 'chaperone-session-cleanup', folder], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
    env: { PATH: path },
    cwd: '/',
  });
  const ended = new Promise<number | null>((resolve) => {
    child.once('exit', (code) => resolve(code));
    child.once('error', () => resolve(null));
  });
  child.stdin.on('error', () => {});
  return {
    /** Ends the session; resolves when its processes and its folder are gone. */
    close: async (): Promise<void> => {
      child.stdin.end();
      if ((await ended) !== 0) {
        throw new DesktopError('failed', message('display.not_ended', { folder }));
      }
    },
  };
}
