import { mkdirSync, symlinkSync, unlinkSync } from 'node:fs';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Stopped } from '../../../src/main/pipeline/failures.js';
import type { Caller } from '../../../src/main/pipeline/ports.js';
import { eventually } from '../../support/eventually.js';
import { ALLOWED, CALLER, DENIED, createTestRooms, failure } from '../../support/rooms.js';

const COMMAND = 'execute_shell_command';
const WAITS = { command: 'sh', args: ['-c', 'touch started; until [ -e go ]; do sleep 0.02; done'] };
let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'chap-run-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const here = (): Caller => ({ ...CALLER, agent: { ...CALLER.agent, cwd: folder } });
const another: Caller = { ...CALLER, agent: { ...CALLER.agent, id: 'agent-2' } };
const started = () => eventually(() => readdir(folder)).toContain('started');

describe('a command beside the desktop', () => {
  it('holds no other agent up, and goes on while the person takes the desktop over', async () => {
    const rooms = createTestRooms(async () => ALLOWED);
    const long = rooms.run(COMMAND, WAITS, { caller: here() });
    await started();
    const other = await rooms.run('clear_clipboard', {}, { caller: another });
    expect(other.verified?.effect).toBe('confirmed');
    rooms.rooms.executions.takeOver(new Stopped('person', 'The person took over.'));
    await writeFile(join(folder, 'go'), '');
    expect((await long).value).toMatchObject({ exit_code: 0 });
  });

  it('is not run where a link leads to another folder in the last moment', async () => {
    const rooms = createTestRooms(async () => ALLOWED);
    const [shown, other, link] = ['shown', 'other', 'link'].map((name) => join(folder, name)) as [string, string, string]; // prettier-ignore
    mkdirSync(shown);
    mkdirSync(other);
    symlinkSync(shown, link);
    const turn = (state: string) => {
      if (state !== 'running') return;
      unlinkSync(link);
      symlinkSync(other, link);
    };
    const run = rooms.run(COMMAND, { command: 'touch', args: ['here'], working_directory: link }, { onProgress: turn });
    expect((await failure(run)).code).toBe('DESKTOP_TARGET_CHANGED');
    expect(await readdir(other)).toEqual([]);
  });

  it('ends at once when the person stops agents', async () => {
    const rooms = createTestRooms(async () => ALLOWED);
    const failed = failure(rooms.run(COMMAND, WAITS, { caller: here() }));
    await started();
    rooms.rooms.executions.stop(new Stopped('stop', 'The person stopped everything.'));
    expect((await failed).code).toBe('DESKTOP_ABORTED');
  });

  it('needs no picture of the screen, and keeps none', async () => {
    const rooms = createTestRooms(async () => ALLOWED);
    await rooms.run(COMMAND, { command: 'true' }, { caller: here() });
    await rooms.run('clear_clipboard', {}, { caller: here() });
    expect(rooms.records.map(({ files }) => files)).toEqual([[], ['before.png', 'after.png']]);
  });

  it('does not run before the person has said yes, nor after a no', async () => {
    const rooms = createTestRooms(async () => {
      expect(await readdir(folder)).toEqual([]);
      return DENIED;
    });
    await failure(rooms.run(COMMAND, { command: 'touch', args: ['ran'] }, { caller: here() }));
    await failure(rooms.run('write_clipboard', { text: 'x' }, { caller: here() }));
    expect(rooms.asked.map(({ action }) => action.effect)).toEqual(['dangerous', 'dangerous']);
    expect(await readdir(folder)).toEqual([]);
    expect(rooms.world.clipboard()).toEqual({});
  });
});
