/** Reads and writes policy files. Any fault in one is an error that stops the start. */
import { errno } from '../../base/errno.js';
import { readFileSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import { message, textOf } from '../../messages/index.js';
import { Overflowing, readJson } from '../protocol/json.js';
import { Unreadable } from '../protocol/transport.js';
import { writePrivate } from './files.js';
import {
  PRESETS,
  PolicyError,
  isPreset,
  narrowed,
  parsePolicy,
  policyFile,
  presetPolicy,
  widens,
  type Policy,
} from './policy.js';

interface PolicySource {
  /**
   * Where the name came from: `flag` is a person's own command line, by which they confirm whatever it names; `file` is the file
   * in the configuration folder, which anyone with this user's rights could have written and is never wider than `standard`.
   */
  source: 'flag' | 'file';
  /** A shim started this host: never wider than `standard`, whatever is named. */
  narrow?: boolean;
}

const MAX_BYTES = 65_536;

/** A preset's name or a file. No file in the configuration folder means `standard`. Throws {@link PolicyError}. */
export function loadPolicy(pathOrPreset: string | null, { source, narrow }: PolicySource): Policy {
  const standard = presetPolicy('standard');
  const policy = read(pathOrPreset, source);
  if (narrow === true) return narrowed(policy, standard);
  if (source === 'flag' || !widens(standard, policy)) return policy;
  const name = pathOrPreset ?? message('policy.the_policy');
  throw new PolicyError(message('policy.wider', { name, file: pathOrPreset ?? 'FILE' }), 'preset');
}

/** Whole or not at all, 0600. */
export function savePolicy(file: string, policy: Policy): void {
  parsePolicy(policyFile(policy), basename(file));
  writePrivate(file, policyFile(policy));
}

function read(pathOrPreset: string | null, source: PolicySource['source']): Policy {
  if (pathOrPreset === null) return presetPolicy('standard');
  if (isPreset(pathOrPreset)) return presetPolicy(pathOrPreset);
  const text = textOfFile(pathOrPreset);
  if (text !== null) return parsePolicy(parseJson(text, pathOrPreset), pathOrPreset);
  if (source === 'file') return presetPolicy('standard');
  throw new PolicyError(message('policy.no_file', { name: pathOrPreset, presets: PRESETS.join(', ') }), '');
}

function textOfFile(name: string): string | null {
  try {
    const stat = statSync(name);
    const foreign = process.getuid !== undefined && stat.uid !== process.getuid() && stat.uid !== 0;
    if (process.platform !== 'win32' && ((stat.mode & 0o022) !== 0 || foreign))
      throw new PolicyError(message('policy.others_write', { name }), '');
    if (!stat.isFile() || stat.size > MAX_BYTES) throw new PolicyError(message('policy.no_small_file', { name }), '');
    return readFileSync(name, 'utf8');
  } catch (thrown) {
    if (errno(thrown) === 'ENOENT') return null;
    if (thrown instanceof PolicyError) throw thrown;
    throw new PolicyError(message('policy.unreadable', { name, why: textOf(thrown) }), '');
  }
}

function parseJson(text: string, name: string): unknown {
  const value = readJson(text);
  if (value instanceof Overflowing)
    throw new PolicyError(
      message('policy.invalid', { name, at: 'other', field: value.member, why: value.reason }),
      value.member,
    );
  if (value instanceof Unreadable) throw new PolicyError(message('policy.not_json', { name, why: value.reason }), '');
  return value;
}
