/** A picture while LibreOffice Calc shows an empty sheet, whose every cell its accessibility would make an object for. */
import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { desktopHost, residentMegabytes, toEnd } from './processes.mjs';
import { inRounds, line, timed } from './rounds.mjs';

const PICTURES = 10;
const MORE_PICTURES = 200;

export async function withCalc(bench) {
  const { call, env, pid } = await openCalc(bench);
  const picture = async () => {
    const { hasPicture, text } = await call('capture_screenshot');
    if (!hasPicture) throw new Error(text);
  };
  const resize = () =>
    toEnd('wmctrl', ['-r', 'LibreOffice Calc', '-b', 'toggle,maximized_vert,maximized_horz'], { env });
  const painted = async () => (await resize(), pause(500));
  const ofCalc = async (work) => {
    const before = processorMs(pid);
    await work();
    return processorMs(pid) - before;
  };
  const import_ = () => toEnd('import', ['-silent', '-window', 'root', join(bench.folder, 'import.png')], { env });
  const taken = await inRounds(
    { ours: async () => (await painted(), timed(picture)) },
    { import: async () => (await painted(), timed(import_)) },
  );
  const used = await inRounds(
    { ours: async () => (await ofCalc(() => times(PICTURES, picture))) / PICTURES },
    { painting: () => ofCalc(painted) },
  );
  const rested = residentMegabytes(pid);
  await times(MORE_PICTURES, picture);
  const grown = { ours: [residentMegabytes(pid)], rested: [rested], again: { rested: [rested] } };
  return [
    line({ what: 'capture_screenshot with Calc open', beside: 'ImageMagick import, its start included', taken, ours: (ms) => ms.ours, peer: (ms) => ms.import }),
    line({ what: 'Calc’s processor time for a picture', beside: 'for painting its window once at another size', taken: used, ours: (ms) => ms.ours, peer: (ms) => ms.painting }),
    line({ what: `Calc’s memory after ${MORE_PICTURES} more pictures`, unit: 'MB', beside: 'before', taken: grown, ours: (mb) => mb.ours, peer: (mb) => mb.rested }),
  ]; // prettier-ignore
}

async function times(count, work) {
  for (let done = 0; done < count; done += 1) await work();
}

async function openCalc({ folder, own, stages }) {
  const host = await desktopHost({ folder, own, stages });
  const profile = `-env:UserInstallation=file://${join(folder, 'office')}`;
  const office = spawn('soffice', ['--calc', '--norestore', '--nologo', profile], { env: host.env, stdio: 'ignore' });
  const ended = new Promise((resolve) => office.once('close', resolve));
  own(
    async () => (
      await host.call('quit_application', { application_id: 'soffice', force: true }).catch(() => office.kill()),
      ended
    ),
  );
  for (;;) {
    const { windows } = await host.call('list_windows');
    const window = windows.find(({ title }) => title.includes('LibreOffice Calc'));
    if (window !== undefined) return { ...host, own, pid: Number(window.name.split('/')[1]) };
    await pause(200);
  }
}

/** Of all its threads, as the scheduler counts it. */
function processorMs(pid) {
  const threads = readdirSync(`/proc/${pid}/task`);
  const nanoseconds = threads.map((id) =>
    Number(readFileSync(`/proc/${pid}/task/${id}/schedstat`, 'utf8').split(' ')[0]),
  );
  return nanoseconds.reduce((sum, one) => sum + one, 0) / 1e6;
}
