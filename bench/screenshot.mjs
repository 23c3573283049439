/** A picture of a 1920×1080 desktop: the backend's alone as PNG, and the whole tool call that an agent makes. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { createImaging } from '../dist/main/evidence/index.js';
import { openDesktop } from './desktop.mjs';
import { desktopHost, toEnd } from './processes.mjs';
import { inRounds, line, timed } from './rounds.mjs';

/** Until the calculator is painted at another place: a picture in which nothing was painted since is not taken again. */
const SETTLE_MS = 300;

export async function alone(bench) {
  const { desktop, session, folder, show } = await openDesktop(bench);
  await show('galculator', []);
  const imaging = createImaging();
  const signal = new AbortController().signal;
  const env = { PATH: process.env.PATH, ...session.env };
  const ours = async () => {
    const png = await imaging.png(await desktop.capture({ kind: 'display' }, signal));
    if (png.length < 1000) throw new Error('no picture');
  };
  return rows('the screen to PNG', await inRounds({ ours: anew(ours, env) }, importer(folder, env)));
}

/** Approved by policy: masked, kept as evidence at full size, made smaller for the model, recorded. */
export async function asTool({ folder, own, stages }) {
  const { call, env: desktopEnv } = await desktopHost({ folder, own, stages });
  const calculator = spawn('galculator', [], { env: desktopEnv, stdio: 'ignore' });
  own(() => void calculator.kill());
  while ((await call('list_windows')).windows.length === 0) await pause(100);
  const ours = async () => {
    const { hasPicture, text } = await call('capture_screenshot');
    if (!hasPicture) throw new Error(text);
  };
  const taken = await inRounds(
    { ours: anew(ours, desktopEnv), unpainted: unpainted(ours) },
    importer(folder, desktopEnv),
  );
  const again = { ...taken, ours: taken.unpainted };
  return [
    ...rows('capture_screenshot, the whole tool call', taken),
    ...rows('capture_screenshot of a screen on which nothing was painted since', again),
  ];
}

/** The second of two pictures. */
const unpainted = (work) => async () => (await work(), timed(work));

/** After a window has moved. */
function anew(work, env) {
  let step = 0;
  return async () => {
    step += 1;
    await toEnd('wmctrl', ['-r', 'galculator', '-e', `0,${100 + 40 * (step % 20)},100,-1,-1`], { env });
    await pause(SETTLE_MS);
    return timed(work);
  };
}

function importer(folder, env) {
  return {
    import: () => toEnd('import', ['-silent', '-window', 'root', join(folder, 'import.png')], { env }),
    start: () => toEnd('import', ['-version'], { env }),
  };
}

function rows(what, taken) {
  const row = (beside, peer) => line({ what, beside, taken, ours: (ms) => ms.ours, peer });
  return [
    row('ImageMagick import, its start included', (ms) => ms.import),
    row('ImageMagick import, less the time of `import -version`', (ms) =>
      ms.import.map((whole, round) => whole - ms.start[round]),
    ),
  ];
}
