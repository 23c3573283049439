import { chmodSync, existsSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createHome, ENTRY, type Home } from '../support/command.js';

let home: Home;
beforeEach(() => {
  home = createHome();
  mkdirSync(file('bin'));
  home.env['PATH'] = `${file('bin')}:${home.env['PATH']}`;
  script('gnome-shell', 'echo "GNOME Shell 43.9"');
  writeFileSync(file('enabled'), "['other@example.org']");
  script('gsettings', `if [ "$1" = set ]; then printf %s "$4" > "$HOME/enabled"; else cat "$HOME/enabled"; fi`);
});
afterEach(() => home.close());

const file = (name: string): string => join(home.path, name);
const EXTENSION = '.local/share/gnome-shell/extensions/chaperone@chaperone.dev';
const inExtension = (name: string): string => readFileSync(file(`${EXTENSION}/${name}`), 'utf8');

function script(name: string, body: string): void {
  writeFileSync(file(`bin/${name}`), `#!/bin/sh\n${body}\n`);
  chmodSync(file(`bin/${name}`), 0o755);
}

describe('chaperone setup gnome', () => {
  it('installs the extension after a yes, switches it on, and says to log out and in', async () => {
    const said = await home.type(['setup', 'gnome'], 'y\n');
    expect(said.code).toBe(0);
    expect(said.stdout).toContain(file(EXTENSION));
    expect(said.stdout).toContain('Log out and in');
    expect(inExtension('extension.js')).toContain('function init()');
    expect(JSON.parse(inExtension('metadata.json'))).toMatchObject({ uuid: 'chaperone@chaperone.dev' });
    const program = realpathSync(process.execPath);
    expect(JSON.parse(inExtension('hosts.json'))).toContainEqual({ program, script: realpathSync(ENTRY) });
    expect(readFileSync(file('enabled'), 'utf8')).toBe("['other@example.org', 'chaperone@chaperone.dev']");
  });

  it('changes nothing without a yes, and asks at a terminal only', async () => {
    expect((await home.type(['setup', 'gnome'], 'n\n')).code).toBe(1);
    expect((await home.type(['setup', 'gnome'], '\n')).stdout).toContain('nothing was changed');
    const piped = await home.run(['setup', 'gnome']);
    expect(piped.code).not.toBe(0);
    expect(piped.stderr).toContain('a person at a terminal');
    expect((await home.run(['setup', 'gnome', '--print'])).stdout).toContain('lets Chaperone see windows');
    expect(existsSync(file(EXTENSION))).toBe(false);
    expect(readFileSync(file('enabled'), 'utf8')).toBe("['other@example.org']");
  });

  it('updates what another version wrote, and leaves alone what is so already', async () => {
    await home.type(['setup', 'gnome'], 'y\n');
    expect((await home.type(['setup', 'gnome'], 'y\n')).stdout).toContain('installed already');
    writeFileSync(file(`${EXTENSION}/extension.js`), '// older');
    const said = await home.type(['setup', 'gnome'], 'y\n');
    expect(said.stdout).toContain('The extension is updated.');
    expect(inExtension('extension.js')).toContain('function init()');
  });

  it('takes it out again, and says so when there is none', async () => {
    await home.type(['setup', 'gnome'], 'y\n');
    expect((await home.run(['setup', 'gnome', '--remove'])).stdout).toContain('The extension is removed.');
    expect(existsSync(file(EXTENSION))).toBe(false);
    expect(readFileSync(file('enabled'), 'utf8')).toBe("['other@example.org']");
    expect((await home.run(['setup', 'gnome', '--remove'])).stdout).toContain('no extension to remove');
  });

  it('refuses a shell that the extension is not for, and options of clients', async () => {
    script('gnome-shell', 'echo "GNOME Shell 48.7"');
    const said = await home.type(['setup', 'gnome'], 'y\n');
    expect(said.code).toBe(1);
    expect(said.stdout).toContain('The extension is for GNOME 43; this is GNOME 48.');
    expect(existsSync(file(EXTENSION))).toBe(false);
    expect((await home.run(['setup', 'gnome', '--scope', 'project'])).stderr).toContain('only --print and --remove');
  });
});
