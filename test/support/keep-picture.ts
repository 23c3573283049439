import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright';

/** A picture for people who look at what the tests show, in the folder that CHAPERONE_PICTURES names; none where it names none. */
export async function keepPicture(page: Page, name: string, { fullPage = false } = {}): Promise<void> {
  const folder = process.env['CHAPERONE_PICTURES'];
  if (folder === undefined) return;
  await mkdir(folder, { recursive: true });
  await page.screenshot({ path: join(folder, `${name}.png`), fullPage });
}
