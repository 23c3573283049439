import { mkdirSync, symlinkSync, unlinkSync } from 'node:fs';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Stopped } from '../../../src/main/pipeline/failures.js';
import type { Caller } from '../../../src/main/approvals/request.js';
import { eventually } from '../../support/eventually.js';
import { CALLER, DENIED, createTestPipeline, failure } from '../../support/pipeline.js';
import { verbatim } from '../../../src/messages/index.js';

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
    const pipeline = createTestPipeline();
    const long = pipeline.run(COMMAND, WAITS, { caller: here() });
    await started();
    const other = await pipeline.run('clear_clipboard', {}, { caller: another });
    expect(other.verified?.effect).toBe('confirmed');
    pipeline.deps.executions.takeOver(new Stopped('person', verbatim('The person took over.')));
    await writeFile(join(folder, 'go'), '');
    expect((await long).value).toMatchObject({ exit_code: 0 });
  });

  it('is not run where a link leads to another folder in the last moment', async () => {
    const pipeline = createTestPipeline();
    const [shown, other, link] = ['shown', 'other', 'link'].map((name) => join(folder, name)) as [string, string, string]; // prettier-ignore
    mkdirSync(shown);
    mkdirSync(other);
    symlinkSync(shown, link);
    const turn = (state: string) => {
      if (state !== 'running') return;
      unlinkSync(link);
      symlinkSync(other, link);
    };
    const run = pipeline.run(
      COMMAND,
      { command: 'touch', args: ['here'], working_directory: link },
      { onProgress: turn },
    );
    expect((await failure(run)).code).toBe('DESKTOP_TARGET_CHANGED');
    expect(await readdir(other)).toEqual([]);
  });

  it('ends at once when the person stops agents', async () => {
    const pipeline = createTestPipeline();
    const failed = failure(pipeline.run(COMMAND, WAITS, { caller: here() }));
    await started();
    pipeline.deps.executions.stop(new Stopped('stop', verbatim('The person stopped everything.')));
    expect((await failed).code).toBe('DESKTOP_ABORTED');
  });

  it('needs no picture of the screen, and keeps none', async () => {
    const pipeline = createTestPipeline();
    await pipeline.run(COMMAND, { command: 'true' }, { caller: here() });
    await pipeline.run('clear_clipboard', {}, { caller: here() });
    expect(pipeline.records.map(({ files }) => files)).toEqual([[], ['before.png', 'after.png']]);
  });

  it('does not run before the person has said yes, nor after a no', async () => {
    const pipeline = createTestPipeline(async () => {
      expect(await readdir(folder)).toEqual([]);
      return DENIED;
    });
    await failure(pipeline.run(COMMAND, { command: 'touch', args: ['ran'] }, { caller: here() }));
    await failure(pipeline.run('write_clipboard', { text: 'x' }, { caller: here() }));
    expect(pipeline.asked.map(({ action }) => action.effect)).toEqual(['dangerous', 'dangerous']);
    expect(await readdir(folder)).toEqual([]);
    expect(pipeline.world.clipboard()).toEqual({});
  });
});
