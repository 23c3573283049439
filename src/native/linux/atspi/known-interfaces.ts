import { interfaceSet } from './accessible-object.js';
import type { Ref } from './bus.js';

/**
 * The interfaces of objects of GTK 3 and Chromium. They are those of the object's class, so they never change, and an application never
 * gives the path of one object to another.
 */
export interface KnownInterfaces {
  of(ref: Ref, ask: () => Promise<unknown>): Promise<ReadonlySet<string>>;
  forgetAll(): void;
}

const MAX_APPLICATIONS = 4;
const MAX_OBJECTS = 20_000;

export function createKnownInterfaces(maxApplications = MAX_APPLICATIONS, maxObjects = MAX_OBJECTS): KnownInterfaces {
  /** By connection, the one used last at the end. */
  const applications = new Map<string, Map<string, ReadonlySet<string>>>();

  const objectsOf = (bus: string): Map<string, ReadonlySet<string>> => {
    const known = applications.get(bus) ?? new Map<string, ReadonlySet<string>>();
    applications.delete(bus);
    applications.set(bus, known);
    for (const oldest of applications.keys()) {
      if (applications.size <= maxApplications) break;
      applications.delete(oldest);
    }
    return known;
  };

  return {
    of: async ({ bus, path }, ask) => {
      const objects = objectsOf(bus);
      const found = objects.get(path);
      if (found !== undefined) return found;
      const interfaces = interfaceSet(await ask());
      if (objects.size >= maxObjects) objects.clear();
      objects.set(path, interfaces);
      return interfaces;
    },
    forgetAll: () => applications.clear(),
  };
}
