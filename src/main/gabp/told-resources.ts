/** What each agent was told of an application's resources, by a call that was allowed: only that is in its list of resources. Bounded. */
import { LRUCache } from 'lru-cache';

export interface ToldResource {
  uri: string;
  name: string;
  description?: string | undefined;
  mime_type?: string | undefined;
}

export type ToldResources = ReturnType<typeof createToldResources>;

const MAX_AGENTS = 50;
const MAX_RESOURCES = 100;

export function createToldResources() {
  const told = new LRUCache<string, readonly ToldResource[]>({ max: MAX_AGENTS });
  return {
    /** In place of what it was told before. */
    tell: (agentId: string, resources: readonly ToldResource[]): void =>
      void told.set(agentId, resources.slice(0, MAX_RESOURCES)),
    of: (agentId: string): readonly ToldResource[] => told.get(agentId) ?? [],
    clear: (): void => told.clear(),
  };
}
