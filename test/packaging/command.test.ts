import { describe, expect, it } from 'vitest';
import { parseCommand, forbiddenSwitch } from '../../src/main/app/command.js';
import { ownProgram } from '../../src/main/shim/own-program.js';

describe('[req:AP-PK-4] the packaged program', () => {
  const entry = '/Applications/Chaperone.app/Contents/Resources/app.asar/dist/main/cli/index.js';

  it.each([
    [[], null],
    [['--no-sandbox'], null],
    [['app'], null],
    [['app', '--port', '1'], null],
    [['--port', '4000'], null],
    [['--policy', 'strict', '--port', '1'], null],
    [['mcp'], ['mcp']],
    [
      ['--no-sandbox', 'mcp', '--profile', 'core'],
      ['mcp', '--profile', 'core'],
    ],
    [['--ozone-platform=headless', 'status'], ['status']],
    [['--help'], ['--help']],
    [['-v'], ['-v']],
    [
      ['help', 'call'],
      ['help', 'call'],
    ],
    [['no-such-command'], ['no-such-command']],
    [
      [entry, 'host', '--background'],
      ['host', '--background'],
    ],
    [['/tmp/.mount_Chapab/resources/app.asar/dist/main/cli/index.js', 'mcp'], ['mcp']],
    [[entry], []],
    [
      ['/elsewhere/dist/main/cli/index.js', 'mcp'],
      ['/elsewhere/dist/main/cli/index.js', 'mcp'],
    ],
  ])('takes %j for %j', (args, command) => expect(parseCommand(args)).toEqual(command));

  it.each([
    '--remote-debugging-port=9222',
    '-remote-debugging-port',
    '--remote-debugging-pipe',
    '--inspect-brk=1',
    '--js-flags=--x',
  ])('does not open the app with %s, which would open its page to other programs', (word) =>
    expect(forbiddenSwitch(['--port', '1', word])).toBe(word),
  );

  it.each(['--no-sandbox', '--port', '--ozone-platform=x11', 'remote-debugging-port'])('opens it with %s', (word) =>
    expect(forbiddenSwitch([word])).toBeNull(),
  );

  it('starts itself again as the image it came in, and never as another program’s image', () => {
    const env = { APPIMAGE: '/home/me/Chaperone.AppImage', APPDIR: '/tmp/.mount_Chap' };
    const execPath = '/tmp/.mount_Chap/chaperone';
    expect(ownProgram({ execPath, env })).toBe('/home/me/Chaperone.AppImage');
    expect(ownProgram({ execPath: '/opt/Chaperone/chaperone', env })).toBe('/opt/Chaperone/chaperone');
    expect(ownProgram({ execPath: '/tmp/.mount_Chaperon/chaperone', env })).toBe('/tmp/.mount_Chaperon/chaperone');
    expect(ownProgram({ execPath, env: {} })).toBe(execPath);
  });
});
