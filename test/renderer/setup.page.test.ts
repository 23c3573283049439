import type { Page } from 'playwright';
import { describe, expect, test } from 'vitest';
import type { KnownClient } from '../../src/main/protocol/index.js';
import { keepPicture } from '../support/keep-picture.js';
import { ago, CODEX, STATUS } from '../support/page-samples.js';
import { complaints, eventually, pageTests } from '../support/page-test.js';

const pages = pageTests();
const NOBODY = { ...STATUS, agents: [] };

const client = (id: KnownClient['id'], over: Partial<KnownClient> = {}): KnownClient => ({
  id,
  found: true,
  entry: 'none',
  paste: null,
  desktop: 'current',
  connected: false,
  lastSeen: null,
  ...over,
});

let known: KnownClient[];

async function open(clients: KnownClient[], offered = true, ownDesktops = false): Promise<Page> {
  known = clients;
  pages.host().answers.clients = () => ({ offered, ownDesktops, clients: known });
  return pages.open({ status: NOBODY });
}

const panel = (page: Page) => page.getByRole('tabpanel');
const asked = (type: string) => pages.host().received.filter((message) => message.type === type);

describe('[req:AP-S-3] connecting an agent', () => {
  test('[req:AP-S-8] a new entry asks for a desktop of its own, and the person chooses the other one', async () => {
    const page = await open([client('codex', { desktop: 'own' })], true, true);
    pages.host().answers.setUp = ({ desktop }) => {
      known = [client('codex', { entry: 'ours', desktop: desktop ?? 'own' })];
      return { outcome: 'added', files: [], ownLimit: false };
    };
    const own = page.getByRole('radio', { name: 'Its own desktop' });
    const shared = page.getByRole('radio', { name: 'Your desktop' });
    expect(await own.isChecked()).toBe(true);
    await page.getByRole('button', { name: 'Connect Codex' }).click();
    await page.getByText('Set up, not seen yet').waitFor();
    await shared.check();
    await panel(page).getByText('chaperone setup codex --desktop current').waitFor();
    await keepPicture(page, 'setup-desktop');
    await page.getByRole('button', { name: 'Update Codex' }).click();
    await expect.poll(() => asked('setUp').length).toBe(2);
    expect(asked('setUp')).toMatchObject([{ client: 'codex' }, { client: 'codex', desktop: 'current' }]);
    expect(asked('setUp')[0]).not.toHaveProperty('desktop');
    await panel(page).getByRole('button', { name: 'Set up', exact: true }).waitFor();
    await expect.poll(() => complaints(page)).toEqual([]);
  });

  test('one press sets it up, says what was changed, and how to undo it', async () => {
    const page = await open([client('claude', { found: false }), client('codex')]);
    pages.host().answers.setUp = ({ client: id, remove }) => {
      known = [client('codex', { entry: remove ? 'none' : 'ours' })];
      const path = '/home/ana/.codex/config.toml';
      const files = [{ path, backup: remove ? null : `${path}.chaperone-backup` }];
      return id === 'codex' ? { outcome: remove ? 'removed' : 'added', files, ownLimit: false } : 'Not asked for.';
    };
    // What is here is shown first.
    await eventually(() => page.getByRole('tab', { selected: true }).textContent()).toBe('Codex');
    await page.getByText('Not set up yet').waitFor();
    await page.getByRole('button', { name: 'Connect Codex' }).click();
    await page.getByText('Start a new Codex session').waitFor();
    await expect.poll(() => panel(page).innerText()).toMatch(/config\.toml[\s\S]*config\.toml\.chaperone-backup/);
    await page.getByText('chaperone setup codex --remove').waitFor();
    await page.getByText('Set up, not seen yet').waitFor();
    // A second press of the same place does nothing.
    await expect
      .poll(() => panel(page).getByRole('button', { name: 'Set up', exact: true }).getAttribute('aria-disabled'))
      .toBe('true');
    await page.getByRole('button', { name: 'Remove Chaperone from Codex' }).click();
    await page.getByText('Chaperone is gone from Codex’s settings.').waitFor();
    await page.getByRole('button', { name: 'Connect Codex' }).waitFor();
    expect(asked('setUp')).toMatchObject([
      { client: 'codex', remove: false },
      { client: 'codex', remove: true },
    ]);
  });

  test('[req:AP-S-7] a client without a file has what to paste, and no button that would fail', async () => {
    const paste = '{"mcpServers":{"chaperone":{"command":"/opt/node"}}}';
    const page = await open([client('codex', { entry: 'ours' }), client('jetbrains', { paste })]);
    await eventually(() => page.getByRole('tab', { selected: true }).textContent()).toBe('Codex');
    await page.getByRole('tab', { name: 'JetBrains AI Assistant' }).click();
    await expect.poll(() => panel(page).innerText()).toMatch(/Model Context Protocol[\s\S]*"mcpServers"/);
    await panel(page).getByText('Copy', { exact: true }).waitFor();
    expect(await panel(page).getByRole('button').count()).toBe(1);
    expect(asked('setUp')).toEqual([]);
  });

  test('keyboard alone does it, and the focus stays', async () => {
    const page = await open([client('claude'), client('cursor', { entry: 'other' })]);
    pages.host().answers.setUp = () => 'Its file is not valid JSON: a comma is missing in line 3. Nothing was changed.';
    await page.getByRole('tab', { name: 'Claude Code' }).focus();
    for (const _ of [1, 2]) await page.keyboard.press('ArrowRight');
    await page.getByText('Set up for another Chaperone').waitFor();
    for (const _ of [1, 2]) await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByText('a comma is missing in line 3').waitFor();
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Update Cursor');
    expect(asked('setUp')).toMatchObject([{ client: 'cursor', remove: false }]);
  });

  test('it says who is connected, and when it was seen last', async () => {
    const page = await open([client('claude', { entry: 'ours', lastSeen: ago(1) }), client('vscode', { found: false }), client('codex', { entry: 'unclear' })]); // prettier-ignore
    await page.getByRole('tab', { name: 'Claude Code' }).click();
    await page.getByText(/Connected: last seen .*\d:\d\d/).waitFor();
    await page.getByRole('tab', { name: 'VS Code' }).click();
    await page.getByText('Not found on this computer').waitFor();
    await page.getByRole('tab', { name: 'Codex' }).click();
    await page.getByText('can’t be read').waitFor();
    known = [client('codex', { entry: 'ours', connected: true })];
    await page.goto(`${pages.host().url}#/welcome`);
    pages.host().say({ type: 'status', status: { ...NOBODY, agents: [{ ...CODEX, since: ago(0), state: 'idle' }] } });
    await page.getByText('Connected', { exact: true }).waitFor();
  });

  test('where nothing is offered, and on a page that is not paired, there is the command alone', async () => {
    const page = await open([], false);
    await eventually(() => asked('clients').length).toBe(1);
    await panel(page).getByText('chaperone setup claude').waitFor();
    await expect.poll(() => page.getByRole('button', { name: /^Connect/ }).count()).toBe(0);
    const { page: unpaired } = await pages.blank();
    await unpaired.goto(pages.host().url);
    await panel(unpaired).getByText('chaperone setup claude').waitFor();
    expect(asked('clients')).toHaveLength(1);
  });
});

test('[req:PG-17] an unpaired page names the command that pairs it as this machine has it', async () => {
  const { page } = await pages.blank();
  pages.host().shown.command = '/opt/node /opt/chaperone/index.js';
  await page.goto(pages.host().url);
  await page.getByRole('heading', { name: 'Pair this page to approve actions here' }).waitFor();
  await page.getByText('/opt/node /opt/chaperone/index.js pair', { exact: true }).waitFor();
  await expect.poll(() => page.getByText('chaperone pair', { exact: true }).count()).toBe(0);
});
