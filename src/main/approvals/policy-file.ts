/** Reads and writes policy files. Any fault in one is an error that stops the start. */
import { errno } from '../../base/errno.js';
import { readFileSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import { message, textOf } from '../../messages/index.js';
import { sha256 } from '../pipeline/sha256.js';
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
   * Where the name came from: `flag` is a person's own command line and may name anything; `file` is the file in the
   * configuration folder, which may be wider than `standard` only when `confirmed` says so; `environment` never may.
   */
  source: 'flag' | 'file' | 'environment';
  /** A shim started this host: never wider than `standard`, whatever is named. */
  narrow?: boolean;
  /** True when the person confirmed a file with this SHA-256 (64 hex digits). */
  confirmed?: (digest: string) => boolean;
}

const MAX_BYTES = 65_536;

/** A preset's name or a file. No file in the configuration folder means `standard`. Throws {@link PolicyError}. */
export function loadPolicy(pathOrPreset: string | null, { source, narrow, confirmed }: PolicySource): Policy {
  const standard = presetPolicy('standard');
  const { policy, digest } = read(pathOrPreset, source);
  if (narrow === true) return narrowed(policy, standard);
  if (source === 'flag' || !widens(standard, policy)) return policy;
  if (source === 'file' && digest !== null && confirmed?.(digest) === true) return policy;
  const name = pathOrPreset ?? message('policy.the_policy');
  throw new PolicyError(message('policy.wider', { name, file: pathOrPreset ?? 'FILE' }), 'preset');
}

/** Whole or not at all, 0600. The caller keeps `digest` where `confirmed` finds it, if a person confirmed the file. */
export function savePolicy(file: string, policy: Policy): { digest: string } {
  parsePolicy(policyFile(policy), basename(file));
  writePrivate(file, policyFile(policy));
  return { digest: sha256(readFileSync(file)) };
}

function read(pathOrPreset: string | null, source: PolicySource['source']): { policy: Policy; digest: string | null } {
  if (pathOrPreset === null) return { policy: presetPolicy('standard'), digest: null };
  if (isPreset(pathOrPreset)) return { policy: presetPolicy(pathOrPreset), digest: null };
  const name = basename(pathOrPreset);
  const bytes = bytesOf(pathOrPreset, name);
  if (bytes !== null)
    return { policy: parsePolicy(parseJson(bytes.toString('utf8'), name), name), digest: sha256(bytes) };
  if (source === 'file') return { policy: presetPolicy('standard'), digest: null };
  throw new PolicyError(message('policy.no_file', { name: pathOrPreset, presets: PRESETS.join(', ') }), '');
}

function bytesOf(path: string, name: string): Buffer | null {
  try {
    const stat = statSync(path);
    const foreign = process.getuid !== undefined && stat.uid !== process.getuid() && stat.uid !== 0;
    if (process.platform !== 'win32' && ((stat.mode & 0o022) !== 0 || foreign))
      throw new PolicyError(message('policy.others_write', { name }), '');
    if (!stat.isFile() || stat.size > MAX_BYTES) throw new PolicyError(message('policy.no_small_file', { name }), '');
    return readFileSync(path);
  } catch (thrown) {
    if (errno(thrown) === 'ENOENT') return null;
    if (thrown instanceof PolicyError) throw thrown;
    throw new PolicyError(message('policy.unreadable', { name, why: textOf(thrown) }), '');
  }
}

function parseJson(text: string, name: string): unknown {
  try {
    return JSON.parse(text);
  } catch (thrown) {
    throw new PolicyError(message('policy.not_json', { name, why: textOf(thrown) }), '');
  }
}
