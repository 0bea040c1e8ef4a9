import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, describe, expect, test } from 'vitest';
import { documents } from '../../../functions/documents/service.ts';
import { assetUrl } from '../../../shared/ui/assets.ts';
import { assetsEndpoint } from '../../../shared/ui/assets-endpoint.ts';
import { call } from '../../requests/http-event.ts';

const folder = await mkdtemp(join(tmpdir(), 'sinete-assets-'));
await mkdir(join(folder, 'assets'));
await writeFile(join(folder, 'assets/page-AB12CD34.js.gz'), gzipSync('run();'));
await writeFile(join(folder, 'assets/house-AB12CD34.css.gz'), gzipSync('p{}'));
await writeFile(join(folder, 'assets/pdfjs-1-2-3-Roman.bcmap.gz'), gzipSync('map'));
await writeFile(join(folder, 'secret.js.gz'), gzipSync('secret'));
const handler = assetsEndpoint(documents, pathToFileURL(`${folder}/`));
afterAll(() => rm(folder, { recursive: true, force: true }));

const get = (name: string, headers: Record<string, string> = {}) =>
  call(handler, { params: { name }, headers });

describe('the assets of pages', () => {
  test('go out as the build compressed them, to be kept for ever', async () => {
    const { status, headers, bytes } = await get('page-AB12CD34.js', { 'Accept-Encoding': 'br, gzip' });
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'content-encoding': 'gzip',
      'cache-control': 'public, max-age=31536000, immutable',
      vary: 'accept-encoding',
      'x-content-type-options': 'nosniff',
      // The policy of a worker is that of its script.
      'content-security-policy': "default-src 'none'; script-src 'self'",
    });
    expect(gunzipSync(bytes).toString()).toBe('run();');
  });

  test('go out as they are to who takes nothing compressed', async () => {
    const { headers, text } = await get('house-AB12CD34.css');
    expect(headers['content-type']).toBe('text/css; charset=utf-8');
    expect(headers).not.toHaveProperty('content-encoding');
    expect(text).toBe('p{}');
  });

  test('are the fonts and character maps of the reader too', async () => {
    const { status, headers, text } = await get('pdfjs-1-2-3-Roman.bcmap');
    expect([status, headers['content-type'], text]).toEqual([200, 'application/octet-stream', 'map']);
  });

  test.each([
    'page.js',
    '../secret.js',
    '..%2Fsecret.js',
    '/etc/passwd.js',
    'assets/page-AB12CD34.js',
    'page-AB12CD34.js.gz',
    'page-AB12CD34.js\0',
    '',
  ])('are no other file of the machine: %j', async (name) => {
    const { status, headers, json } = await get(name);
    expect(status).toBe(404);
    expect(headers['cache-control']).toBe('no-store');
    expect(json()).toMatchObject({ code: 'EndpointNotFound' });
  });

  test('are called by their plain names where nothing was built', () => {
    expect(assetUrl('..', 'common.css')).toBe('../assets/common.css');
  });
});
