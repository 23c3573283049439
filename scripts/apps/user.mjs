/** The ordinary user that applications run as, and the processes of one run. */
import { chownSync, readFileSync, readdirSync } from 'node:fs';

/** `nobody` of Debian: some applications refuse root. */
const NOBODY = 65_534;

/** `as` is put before a command that this user runs; `give` makes a file theirs. */
export function ordinaryUser(uid = process.getuid?.()) {
  if (uid !== 0) return { as: [], give: () => undefined };
  const as = ['setpriv', `--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups'];
  return { as, give: (path) => chownSync(path, NOBODY, NOBODY) };
}

/** Each running process whose environment has this text, with the environment. */
export function processesWith(text) {
  return readdirSync('/proc').flatMap((pid) => {
    const env = /^\d+$/.test(pid) ? environmentOf(pid) : '';
    return env.includes(text) ? [{ pid: Number(pid), env: variables(env) }] : [];
  });
}

function environmentOf(pid) {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'utf8');
  } catch {
    // It has ended, or is another user's.
    return '';
  }
}

const variables = (env) =>
  Object.fromEntries(env.split('\0').map((one) => [one.slice(0, one.indexOf('=')), one.slice(one.indexOf('=') + 1)]));
