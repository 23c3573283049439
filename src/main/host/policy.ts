import { join } from 'node:path';
import { loadPolicy, type Policy } from '../approvals/policy.js';
import type { HostOptions } from './options.js';

export const policyPath = (config: string): string => join(config, 'policy.json');

/** The command line overrides the file in the configuration folder. A host started by a shim is never wider than `standard`. */
export function hostPolicy({ policy, paths, narrow }: Pick<HostOptions, 'policy' | 'paths' | 'narrow'>): Policy {
  if (policy !== undefined) return loadPolicy(policy, { source: 'flag', narrow });
  return loadPolicy(policyPath(paths.config), { source: 'file', narrow });
}
