/** The update channel: the address in the package, and the file `latest-mac.yml` that is published there beside the packages it names. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Stop } from '../lib/run.mjs';
import { fromBuilder } from './builder.mjs';

const yaml = fromBuilder('js-yaml');
const CHANNEL_FILE = 'latest-mac.yml';
const LOOPBACK = ['127.0.0.1', 'localhost', '[::1]'];

/** electron-builder's arguments for an address; none without one. */
export function channelArgs(address, platform) {
  if (address === undefined) return [];
  if (platform !== 'darwin') throw new Stop('--update-url is for macOS: other packages have no update channel.');
  const url = URL.canParse(address) ? new URL(address) : null;
  const good = url?.protocol === 'https:' || (url?.protocol === 'http:' && LOOPBACK.includes(url.hostname));
  if (!good)
    throw new Stop(`--update-url takes an https address, and for trying it out one of this machine; not ${address}.`);
  return ['-c.publish.provider=generic', `-c.publish.url=${address}`];
}

/** What the app reads. electron-builder writes it too, but not into a build that is not packed. */
export const channelConfig = ({ provider, url }, updaterCacheDirName) =>
  yaml.dump({ provider, url, updaterCacheDirName });

/** Packages of the same version for several processors are published in one file, but made by one run each. */
export function mergeChannel(before, after) {
  const [earlier, latest] = [before, after].map((text) => (text === null ? null : yaml.load(text)));
  if (earlier?.version !== latest.version) return after;
  const named = new Set(latest.files.map(({ url }) => url));
  return yaml.dump({ ...latest, files: [...latest.files, ...earlier.files.filter(({ url }) => !named.has(url))] });
}

export const readChannel = (folder) => readFile(join(folder, CHANNEL_FILE), 'utf8').catch(() => null);

/** Adds what an earlier run made. Returns the names of the files to publish, the channel's file last. */
export async function finishChannel(folder, before) {
  const after = await readChannel(folder);
  if (after === null) throw new Stop(`${join(folder, CHANNEL_FILE)} was expected and is not there.`);
  const merged = mergeChannel(before, after);
  await writeFile(join(folder, CHANNEL_FILE), merged);
  return [...yaml.load(merged).files.map(({ url }) => url), CHANNEL_FILE];
}
