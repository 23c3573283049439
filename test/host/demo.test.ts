import { verbatim } from '../../src/messages/index.js';
import pino from 'pino';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createDemoProcess, type DemoProcess, type DemoProcessOptions } from '../../src/main/host/demo-runner.js';
import { DEMO_STOPPED } from '../../src/main/protocol/index.js';

const ana = { where: 'page', by: 'key-1' } as const;
let demo: DemoProcess;
afterEach(() => demo.close());

/** In place of the command: the words that start the demo come behind this script. */
function start(script: string, more: Partial<DemoProcessOptions> = {}): DemoProcess {
  demo = createDemoProcess({
    launcher: { command: process.execPath, args: ['-e', script, '--', 'mcp'] },
    env: { CHAPERONE_HOME: '/somewhere', NODE_OPTIONS: '--bad', SECRET: 'x' },
    cwd: '/',
    real: false,
    hindered: () => null,
    gone: () => undefined,
    log: pino({ level: 'silent' }),
    ...more,
  });
  return demo;
}

describe('[req:AP-S-6] the process of the demo', () => {
  it('is told the language and where the host is, and nothing else of the host’s environment', async () => {
    start(`process.stderr.write(JSON.stringify([process.argv.slice(1), process.env])); process.exit(1)`);
    const ended = await demo.run('de', ana);
    const [words, env] = JSON.parse('why' in ended ? (ended.why ?? '') : '');
    expect(words).toEqual(['demo-agent', '--language', 'de']);
    expect(env).toMatchObject({ CHAPERONE_HOME: '/somewhere' });
    expect(Object.keys(env)).not.toEqual(expect.arrayContaining(['SECRET']));
    expect(Object.keys(env)).not.toEqual(expect.arrayContaining(['NODE_OPTIONS']));
  });

  it.each([
    ['finished', 'process.exit(0)', null],
    ['stopped', `process.exit(${DEMO_STOPPED})`, null],
    ['failed', `console.error('no room'); process.exit(1)`, 'no room'],
    ['failed', `process.kill(process.pid, 'SIGKILL')`, null],
  ] as const)('%s: %s', async (outcome, script, why) => {
    const heard = vi.fn();
    start(script).on(heard);
    const over = demo.run('en', ana);
    expect(demo.running()).toBe(true);
    expect(await over).toEqual({ outcome, why });
    expect(demo.running()).toBe(false);
    expect(heard).toHaveBeenCalledTimes(2);
  });

  it('says what it could not start', async () => {
    start('', { launcher: { command: '/nowhere/chaperone', args: ['mcp'] } });
    expect(await demo.run('en', ana)).toMatchObject({ outcome: 'failed', why: expect.stringContaining('ENOENT') });
  });

  it('is there once, and not at all where something is in its way', async () => {
    start('setInterval(() => undefined, 1000)');
    void demo.run('en', ana);
    expect(await demo.run('en', ana)).toMatchObject({ ok: false, code: 'demo_running' });
    await demo.close();
    expect(demo.running()).toBe(false);
    start('', { hindered: () => ({ ok: false, code: 'demo_paused', message: verbatim('Paused.') }) });
    expect(await demo.run('en', ana)).toMatchObject({ ok: false, code: 'demo_paused' });
    expect(demo.running()).toBe(false);
  });
});
