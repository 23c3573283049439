import type { JSHandle, Page } from 'playwright';
import { expect, test } from 'vitest';
import { question } from '../support/page-samples.js';
import { eventually, pageTests } from '../support/page-test.js';

const pages = pageTests();
const asked = question(1, 'Which one?');
const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

const files = (page: Page, type: string): Promise<JSHandle<DataTransfer>> =>
  page.evaluateHandle(
    ([base64, kind]) => {
      const data = new DataTransfer();
      const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
      data.items.add(new File([bytes], 'one', { type: kind }));
      return data;
    },
    [PNG, type] as const,
  );

const open = () => pages.open({ history: [asked], pendingAckIds: [asked.ack_id], cursor: 1 });

test('[req:PG-7] an image dropped on a reply is sent with it', async () => {
  const page = await open();
  const dataTransfer = await files(page, 'image/png');
  const box = page.locator('.replybox');
  await box.dispatchEvent('dragenter', { dataTransfer });
  await expect.poll(() => box.getAttribute('data-drop')).toBe('true');
  await box.dispatchEvent('drop', { dataTransfer });
  await page.getByRole('img', { name: 'Image 1 of your reply' }).waitFor();
  await expect.poll(() => box.getAttribute('data-drop')).toBeNull();
  await page.getByRole('button', { name: 'Reply', exact: true }).click();
  expect(await pages.host().next('ack')).toMatchObject({
    id: asked.ack_id,
    images: [{ mimeType: 'image/png', base64: PNG }],
  });
});

test('[req:PG-7] what is no image is refused in words, and a file dropped beside a reply does not replace the page', async () => {
  const page = await open();
  await page.locator('.replybox').dispatchEvent('drop', { dataTransfer: await files(page, 'text/html') });
  await page.getByText('Only PNG, JPEG, WebP and GIF images can be sent.').waitFor();
  const stray = await files(page, 'image/png');
  const refused = await page.evaluate((dataTransfer) => {
    const event = (type: string) => new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true });
    return ['dragover', 'drop'].map((type) => !document.body.dispatchEvent(event(type)));
  }, stray);
  expect(refused).toEqual([true, true]);
  await eventually(() => page.getByRole('img', { name: /of your reply/ }).count()).toBe(0);
});
