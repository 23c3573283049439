import { afterAll, beforeAll, expect, it } from 'vitest';
import { createHome, type Home } from '../support/command.js';

let home: Home;
beforeAll(() => {
  home = createHome();
});
afterAll(() => home.close());

it('an older Node is told before anything is loaded', async () => {
  const older = "data:text/javascript,Object.defineProperty(process.versions,'node',{value:'20.18.3'})";
  expect(await home.run(['status'], { NODE_OPTIONS: `--import ${older}` })).toMatchObject({
    code: 1,
    stdout: '',
    stderr: 'Chaperone needs Node 20.19 or newer; this is 20.18.3. Install a newer Node, then run this again.\n',
  });
});

it('a host that cannot start says why and what to do, and nothing besides', async () => {
  const ended = await home.run(['host', '--backend', 'linux', '--display', 'current'], { DISPLAY: 'none' });
  expect(ended).toMatchObject({ code: 1, stdout: '' });
  expect(ended.stderr).toMatch(/^“none” isn’t a valid X display name[^\n]*--display virtual\.\n$/);
});
