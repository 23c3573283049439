import { DesktopError } from '../../desktop.js';
import { type AccessibilityBus, rootOf } from './bus.js';

export interface Toolkit {
  name: string;
  major: number;
  minor: number;
}

export const isGtk2 = ({ name, major }: Toolkit): boolean => name === 'gtk' && major === 2;
export const isGtk3 = ({ name, major }: Toolkit): boolean => name === 'gtk' && major === 3;

/** GTK 2 gives the name of its accessibility module. */
const OTHER_NAMES: ReadonlyMap<string, string> = new Map([['gail', 'gtk']]);

/** What these draw in a table, a tree or a list of theirs is told as cells, and is no field and no button. */
export const drawsOwnCells = ({ name }: Toolkit): boolean => name === 'gtk' || name === 'qt';

/** The toolkit that an application is made with; its name in lower case, empty where it does not say. */
export async function readToolkit(
  bus: Pick<AccessibilityBus, 'property'>,
  busName: string,
  signal: AbortSignal,
): Promise<Toolkit> {
  const root = rootOf(busName);
  const [name, version] = await Promise.all([
    bus.property(root, 'Application.ToolkitName', { signal }).catch(emptyWhenRefused),
    bus.property(root, 'Application.Version', { signal }).catch(emptyWhenRefused),
  ]);
  const [major = 0, minor = 0] = String(version)
    .split('.')
    .map((part) => Number.parseInt(part, 10) || 0);
  const given = String(name).toLowerCase();
  return { name: OTHER_NAMES.get(given) ?? given, major, minor };
}

function emptyWhenRefused(error: unknown): string {
  if (error instanceof DesktopError && (error.code === 'unsupported' || error.code === 'failed')) return '';
  throw error;
}
