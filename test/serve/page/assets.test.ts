import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, request } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAssets } from '../../../src/main/serve/page/assets.js';

interface Answer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: string;
}

const root = mkdtempSync(join(tmpdir(), 'chaperone-assets-'));
const dir = join(root, 'page');
const server = createServer((incoming, response) =>
  createAssets(incoming.url === '/unbuilt' ? root : dir)(incoming, response),
);
let port = 0;

beforeAll(async () => {
  mkdirSync(join(dir, 'assets'), { recursive: true });
  mkdirSync(join(dir, '.secret'));
  writeFileSync(join(root, 'outside.txt'), 'outside');
  writeFileSync(join(dir, '.secret', 'key.txt'), 'hidden');
  writeFileSync(join(dir, 'index.html'), '<!doctype html><title>page</title>');
  writeFileSync(join(dir, 'assets', 'app.js'), 'export {};');
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  port = typeof address === 'object' && address ? address.port : 0;
});

afterAll(async () => {
  await new Promise((resolve) => server.close(resolve));
  rmSync(root, { recursive: true });
});

function get(path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request({ port, host: '127.0.0.1', path, method, headers, agent: false }, (response) => {
      let body = '';
      response.setEncoding('utf8').on('data', (chunk: string) => (body += chunk));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, body }));
    });
    sent.on('error', reject).end();
  });
}

/** Sends the path as it is: http.request would refuse or mend it. */
function raw(path: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    const socket = connect(port, '127.0.0.1', () =>
      socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost:${port}\r\nConnection: close\r\n\r\n`),
    );
    socket.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
    socket.on('end', () => resolve(text)).on('error', reject);
  });
}

describe('the static side', () => {
  it('serves the page and its files', async () => {
    expect(await get('/')).toMatchObject({ status: 200, body: expect.stringContaining('<title>page') });
    const script = await get('/assets/app.js');
    expect(script.status).toBe(200);
    expect(script.headers['content-type']).toContain('javascript');
    expect((await get('/', {}, 'HEAD')).status).toBe(200);
  });

  it('falls back to the page for its own paths and says 404 as JSON for everything else', async () => {
    expect((await get('/settings')).body).toContain('<title>page');
    for (const path of ['/api', '/api/approvals', '/ws', '/assets/none.js', '/sw.js']) {
      const answer = await get(path);
      expect(answer.status, path).toBe(404);
      expect(JSON.parse(answer.body)).toMatchObject({ error: { code: 'not_found' } });
    }
  });

  it('[req:DS-7-20] [req:DS-7-14] locks the page down on every answer', async () => {
    for (const path of ['/', '/assets/app.js', '/api/none', '/unbuilt']) {
      const { headers } = await get(path, { host: `localhost:${port}` });
      const policy = String(headers['content-security-policy']);
      for (const part of [
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "frame-ancestors 'none'",
        "base-uri 'none'",
        "form-action 'none'",
        "img-src 'self' data: blob:",
      ])
        expect(policy.split('; '), path).toContain(part);
      expect(policy).toContain(`connect-src 'self' ws://localhost:${port};`);
      expect(policy).not.toMatch(/unsafe|\*/);
      expect(headers).toMatchObject({
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
        'cross-origin-opener-policy': 'same-origin',
        'cache-control': 'no-store',
      });
      expect(headers['set-cookie']).toBeUndefined();
    }
  });

  it('[req:DS-7-20] names the code and styles inside the page by their hashes, and those of a page built anew', async () => {
    const built = join(dir, 'index.html');
    const before = readFileSync(built, 'utf8');
    const sourceOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
    const policy = async (path: string) => String((await get(path)).headers['content-security-policy']).split('; ');
    for (const word of ['first', 'second one']) {
      const script = `document.title = '${word}';\n`;
      const style = `p { content: '${word}' }`;
      writeFileSync(built, `<style>${style}</style><script>${script}</script><script src="x"></script><p onclick="x">`);
      for (const path of ['/', '/settings', '/assets/app.js']) {
        expect(await policy(path)).toContain(`script-src 'self' ${sourceOf(script)}`);
        expect(await policy(path)).toContain(`style-src 'self' ${sourceOf(style)}`);
      }
    }
    writeFileSync(built, before);
    expect(await policy('/')).toContain("script-src 'self'");
  });

  it('does not let a Host header write into the policy', async () => {
    const { headers } = await get('/', { host: "evil.test; script-src 'unsafe-inline'" });
    expect(headers['content-security-policy']).toContain("connect-src 'self';");
    expect(headers['content-security-policy']).not.toContain('evil');
  });

  it.each([
    '/../outside.txt',
    '/%2e%2e/outside.txt',
    '/..%2foutside.txt',
    '/assets/..%5c..%5coutside.txt',
    '//outside.txt',
    '/.secret/key.txt',
    '/%2esecret/key.txt',
    '/%00',
    '/%',
    '/assets/%E0%A4%A',
  ])('gives nothing away for %s', async (path) => {
    const answer = await raw(path);
    expect(answer).not.toContain('outside\n');
    expect(answer).not.toMatch(/\r\n\r\n(outside|hidden)/);
    expect(answer).toMatch(/^HTTP\/1\.1 (404|200)/);
  });

  it('survives ranges that make no sense', async () => {
    for (const range of ['bytes=5-2', 'bytes=-1', 'bytes=a-b', 'bytes=9999999-', 'x'])
      expect((await get('/assets/app.js', { range })).status).toBe(200);
  });

  it('answers no other method and no service worker', async () => {
    expect(await get('/', {}, 'POST')).toMatchObject({ status: 405, headers: { allow: 'GET, HEAD' } });
    expect((await get('/assets/app.js', { 'service-worker': 'script' })).status).toBe(404);
  });

  it('says so when the page has not been built', async () => {
    const answer = await get('/unbuilt');
    expect(answer.status).toBe(503);
    expect(JSON.parse(answer.body)).toMatchObject({ error: { code: 'not_built' } });
  });
});
