/** electron-builder's hook between assembling and setting fuses: removes parts of Electron's distribution that this app does not use, and writes the update address. */
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fromBuilder } from './builder.mjs';
import { channelConfig } from './channel.mjs';

const plist = fromBuilder('plist');

/** Electron's sample plist explains uses of camera, microphone and Bluetooth. This app has none, and must not ask. */
const UNUSED = /^NS(AudioCapture|Bluetooth\w*|Camera|Microphone)UsageDescription$/;

export default async function afterPack({ appOutDir, electronPlatformName, packager }) {
  const mac = electronPlatformName === 'darwin';
  const contents = join(appOutDir, `${packager.appInfo.productFilename}.app`, 'Contents');
  const resources = mac ? join(contents, 'Resources') : join(appOutDir, 'resources');
  // Left behind when the distribution comes from a folder.
  await rm(join(resources, 'default_app.asar'), { force: true });
  await rm(join(appOutDir, 'version'), { force: true });
  if (!mac) return;
  await withoutUnused(join(contents, 'Info.plist'));
  const { publish } = packager.config;
  if (publish?.provider === 'generic')
    await writeFile(join(resources, 'app-update.yml'), channelConfig(publish, packager.appInfo.updaterCacheDirName));
}

async function withoutUnused(file) {
  const info = plist.parse(await readFile(file, 'utf8'));
  const kept = Object.fromEntries(Object.entries(info).filter(([key]) => !UNUSED.test(key)));
  await writeFile(file, plist.build(kept));
}
