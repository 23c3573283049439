/**
 * `npm run package [-- --dir] [--arm64 | --x64] [--electron-dist <zip or folder>] [--unsigned]
 * [--update-url <https address>]`: makes the packages of this platform.
 * `--dir` makes an unpacked development build. Says what is missing before it builds anything.
 */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { buildAddon } from './addon.mjs';
import { build } from './build.mjs';
import { Stop, main, root, run, runBin } from './lib/run.mjs';
import { BUILDER, builderArgs, fromBuilder } from './package/builder.mjs';
import { channelArgs, finishChannel, readChannel } from './package/channel.mjs';
import { missingForDevelopment, missingForRelease, missingTools } from './package/checks.mjs';
import { electronFor } from './package/electron.mjs';
import { wrongFuses } from './package/fuses.mjs';
import { drawIcons } from './package/icons.mjs';
import { missingNatives } from './package/natives.mjs';

const OPTIONS = {
  dir: { type: 'boolean', default: false },
  arm64: { type: 'boolean', default: false },
  x64: { type: 'boolean', default: false },
  unsigned: { type: 'boolean', default: false },
  'electron-dist': { type: 'string' },
  'update-url': { type: 'string' },
};
const packages = join(root, 'dist/package');

function parseOptions(args) {
  let values;
  try {
    ({ values } = parseArgs({ args, options: OPTIONS }));
  } catch (error) {
    throw new Stop(error.message);
  }
  if (!(process.platform in BUILDER))
    throw new Stop(`Packages are made on macOS and Linux; this is ${process.platform}.`);
  if (values.unsigned && !values.dir) throw new Stop('A release is never unsigned: --unsigned goes with --dir.');
  const arch = values.arm64 ? 'arm64' : values.x64 ? 'x64' : process.arch;
  const channel = channelArgs(values['update-url'], process.platform);
  return { ...values, platform: process.platform, arch, channel };
}

async function missing({ platform, arch, dir, unsigned }) {
  const natives = missingNatives(root, platform, arch);
  const lacking = await missingTools(platform, run);
  if (natives.length > 0)
    lacking.push(
      `Native modules for ${platform}-${arch} are not installed:\n  npm install --no-save --ignore-scripts --force ${natives.join(' ')}`,
    );
  if (platform !== 'darwin' || unsigned) return lacking;
  return [...lacking, ...(await (dir ? missingForDevelopment : missingForRelease)(process.env, run))];
}

/** Path of the application that electron-builder assembles and then packs. */
function assembledPath({ platform, arch }) {
  const suffix = arch === 'x64' ? '' : `-${arch}`;
  const path = platform === 'darwin' ? `mac${suffix}/Chaperone.app` : `linux${suffix}-unpacked/chaperone`;
  return join(packages, path);
}

async function checkFuses(program) {
  const { electronFuses } = fromBuilder('js-yaml').load(await readFile(join(root, 'electron-builder.yml'), 'utf8'));
  const wrong = await wrongFuses(program, electronFuses);
  if (wrong.length > 0) throw new Stop(`These fuses of ${program} are not as configured: ${wrong.join(', ')}.`);
}

await main(async (args) => {
  const wanted = parseOptions(args);
  const lacking = await missing(wanted);
  if (lacking.length > 0) throw new Stop([...lacking, 'Nothing was built.'].join('\n'));
  if (wanted.platform === 'darwin' && !(await buildAddon(wanted.arch)))
    throw new Stop('The addon of the bridge service does not build; the lines above say why.');
  const electronDist = await electronFor({ ...wanted, named: wanted['electron-dist'] });
  await build();
  await drawIcons(root, join(root, 'dist/icons'));
  const published = wanted.channel.length > 0 && !wanted.dir;
  const earlier = published ? await readChannel(packages) : null;
  const { code } = await runBin('electron-builder/cli.js', builderArgs(wanted, electronDist));
  if (code !== 0)
    throw new Stop(
      'electron-builder failed; the lines above say why. Makers of dmg, AppImage and deb are fetched from github.com at first use.',
    );
  const program = assembledPath(wanted);
  if (!existsSync(program)) throw new Stop(`${program} was expected and is not there.`);
  await checkFuses(program);
  if (published) console.log(`To publish, in this order: ${(await finishChannel(packages, earlier)).join(', ')}`);
  console.log(`Packages are in ${packages}. What to check before they go out: docs/release.md.`);
});
