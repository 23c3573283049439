import { expect, test } from 'vitest';
import { ago, CODEX, STATUS } from '../support/page-samples.js';
import { complaints, pageTests } from '../support/page-test.js';
import { keepPicture } from '../support/keep-picture.js';

const pages = pageTests();

test.each([
  ['light', 'en-US', 'Write', 'Write to Codex', 'Send', 'One message from you not read yet', 'To Codex'],
  [
    'dark',
    'de-DE',
    'Schreiben',
    'An Codex schreiben',
    'Senden',
    'Eine Nachricht von Ihnen noch nicht gelesen',
    'An Codex',
  ],
] as const)('Agents writes to an agent: %s, %s', async (colorScheme, locale, open, to, send, unread, heading) => {
  const agents = [{ ...CODEX, since: ago(5), state: 'idle' as const }];
  const page = await pages.open({ status: { ...STATUS, agents } }, { colorScheme, locale });
  pages.host().answers.write = () => ({ seq: 1 });
  await page.evaluate(() => void (location.hash = '#/agents'));
  await page.getByRole('button', { name: open, exact: true }).click();
  await page.getByLabel(to).fill('Use the other folder');
  await keepPicture(page, `write-${locale}`);
  await page.getByRole('button', { name: send, exact: true }).click();
  expect(await pages.host().next('write')).toMatchObject({ id: CODEX.id, text: 'Use the other folder' });
  const speaker = { id: CODEX.id, name: CODEX.name, tile: CODEX.tile };
  const written = { ack_id: crypto.randomUUID(), seq: 1, at: ago(0), paired: true, to: speaker };
  pages.host().say({ type: 'userMessage', text: 'Use the other folder', ...written });
  await page.getByText(unread).waitFor();
  expect(await page.getByLabel(to).inputValue()).toBe('');
  await keepPicture(page, `unread-${locale}`);
  await page.evaluate(() => void (location.hash = '#/'));
  await page.locator('.reply').getByText(heading, { exact: true }).waitFor();
  await keepPicture(page, `unread-chat-${locale}`);
  await expect.poll(() => complaints(page)).toEqual([]);
});
