import { describe, expect, test } from 'vitest';
import { ALLOWED, createTestPipeline, failure, pressed } from '../support/pipeline.js';

describe('what agents never see or touch', () => {
  test('[req:DS-8-10] our own windows are missing from lists, trees and pictures, and cannot be clicked', async () => {
    const pipeline = createTestPipeline(async () => ALLOWED);
    pipeline.world.addApp({
      id: 'browser',
      name: 'Browser',
      executable: '/browser',
      windows: [
        {
          title: 'Chaperone',
          frame: { x: 700, y: 100, width: 300, height: 300 },
          elements: [
            { role: 'AXButton', title: 'Allow', identifier: 'allow', frame: { x: 10, y: 10, width: 100, height: 30 } },
          ],
        },
      ],
    });
    const windows = await pipeline.run('list_windows', {});
    expect(JSON.stringify(windows.value)).not.toContain('Chaperone');
    const found = await pipeline.run('find_elements', { parent: 'browser', title: 'Allow' });
    expect(found.value).toMatchObject({ elements: [], total: 0 });
    const clicked = await failure(pipeline.run('click', { x: 760, y: 155 }));
    expect(clicked.details['reason']).toBe('protected');
    expect(pressed(pipeline.world.journal())).toEqual([]);
  });

  test('[req:DS-8-10] a secure field has no value and is covered in pictures', async () => {
    const pipeline = createTestPipeline(async () => ALLOWED);
    const found = await pipeline.run('find_elements', { parent: 'simulated.mail', role: 'AXSecureTextField' });
    expect(JSON.stringify(found.value)).not.toContain('correct horse');
  });
});
