/** An update address: a web server with what the packages' own tools write for it, and a record of who asked for what. */
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { AppUpdater } from 'electron-updater';
import * as z from 'zod';
import { library, script } from '../packaging/assemble.js';

type Tasks = readonly object[];
const inBuilder = (module: string): unknown => library(join(dirname(library.resolve('app-builder-lib')), module));
const builder = z
  .object({
    createUpdateInfoTasks: z.custom<(event: object, publish: readonly object[]) => Promise<Tasks>>(),
    writeUpdateInfoFiles: z.custom<(tasks: object[], packager: object) => Promise<void>>(),
  })
  .parse(inBuilder('publish/updateInfoBuilder'));
const channel = script(
  'package/channel.mjs',
  z.object({ mergeChannel: z.custom<(a: string | null, b: string) => string>() }),
);

/** The library asks for the file of the system it runs on. */
export function asOnMacOs(): void {
  const prototype: object = AppUpdater.prototype;
  const real: unknown = Reflect.get(prototype, 'createProviderRuntimeOptions');
  if (typeof real !== 'function') throw new Error('the library has another shape');
  Reflect.set(prototype, 'createProviderRuntimeOptions', function (this: unknown) {
    return { ...z.looseObject({}).parse(Reflect.apply(real, this, [])), platform: 'darwin' };
  });
}

export interface UpdateAddress {
  url: string;
  asked: { path: string; headers: IncomingHttpHeaders }[];
  /** Packages for both processors, as two runs make them. */
  publish(version: string, content: string): Promise<void>;
  /** What is handed out under the packages' names from now on. */
  replacePackages(content: string): void;
  replaceChannel(text: string): Promise<void>;
  close(): Promise<void>;
}

export async function openUpdateAddress(): Promise<UpdateAddress> {
  const folder = await mkdtemp(join(tmpdir(), 'chaperone-channel-'));
  const asked: UpdateAddress['asked'] = [];
  let replaced: string | null = null;
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? '/', 'http://x').pathname;
    asked.push({ path, headers: request.headers });
    const content =
      path.endsWith('.zip') && replaced !== null ? Promise.resolve(replaced) : readFile(join(folder, basename(path)));
    content.then(
      (body) => response.end(body),
      () => response.writeHead(404).end(),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  const channelFile = join(folder, 'latest-mac.yml');
  return {
    url: `http://127.0.0.1:${address.port}/updates`,
    asked,
    async publish(version, content) {
      let before: string | null = null;
      for (const arch of ['arm64', 'x64']) {
        const file = join(folder, `Chaperone-${version}-mac-${arch}.zip`);
        await writeFile(file, content);
        await writeChannel(file, version, folder);
        const text = (await channel).mergeChannel(before, await readFile(channelFile, 'utf8'));
        await writeFile(channelFile, (before = text));
      }
    },
    replacePackages: (content) => void (replaced = content),
    replaceChannel: (text) => writeFile(channelFile, text),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function writeChannel(file: string, version: string, outDir: string): Promise<void> {
  const packager = {
    platformSpecificBuildOptions: {},
    config: {},
    metadata: {},
    appInfo: { version },
    getResource: async () => null,
    emitArtifactCreated: async () => undefined,
  };
  const { Platform } = z.object({ Platform: z.custom<{ MAC: object }>() }).parse(inBuilder('core'));
  const made = { ...packager, platform: Platform.MAC };
  const event = { packager: made, file, arch: null, target: { outDir } };
  const publish = [{ provider: 'generic', url: 'https://updates.example' }];
  await builder.writeUpdateInfoFiles([...(await builder.createUpdateInfoTasks(event, publish))], made);
}
