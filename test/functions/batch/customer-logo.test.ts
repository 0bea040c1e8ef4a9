import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, test, vi } from 'vitest';
import { handler as getLogo } from '../../../functions/batch/endpoints/get-customer-logo.ts';
import { call } from '../../requests/http-event.ts';
import { logOf } from '../../shared/http/log-of.ts';

const folder = mkdtempSync(join(tmpdir(), 'sinete-logo-'));
afterAll(() => rmSync(folder, { recursive: true }));
afterEach(() => {
  vi.unstubAllEnvs();
});

/** Names a file of this content in the setting. */
function configure(name: string, content: string | Uint8Array): void {
  const file = join(folder, name);
  writeFileSync(file, content);
  vi.stubEnv('Branding__CustomerLogo', file);
}

const PNG = Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.alloc(20)]);
const SVG = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';
const NOT_AVAILABLE = [404, { code: 'branding.customer-logo-not-available' }];

describe('the logo', () => {
  test.each([
    ['a PNG', PNG, 'image/png'],
    ['a JPEG', Buffer.from('ffd8ffe000104a464946', 'hex'), 'image/jpeg'],
    ['an SVG', SVG, 'image/svg+xml'],
    [
      'an SVG after a prolog',
      `\uFEFF<?xml version="1.0"?>\n<!-- made by > hand -->\n<!DOCTYPE svg PUBLIC "x" "y">\n${SVG}`,
      'image/svg+xml',
    ],
  ])('that is %s is told by its content, and cannot run', async (_, content, type) => {
    configure('logo.html', content);
    const { status, headers, bytes } = await call(getLogo);
    expect([status, headers['content-type']]).toEqual([200, type]);
    expect(bytes).toEqual(Buffer.from(content));
    expect(headers).toMatchObject({
      'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
      'x-content-type-options': 'nosniff',
      'cache-control': 'public, max-age=300',
    });
  });

  test('is not sent again to a browser that has it, and is where the file is another', async () => {
    configure('logo.png', PNG);
    const { etag = '' } = (await call(getLogo)).headers;
    const again = () => call(getLogo, { headers: { 'If-None-Match': etag } });
    expect(await again()).toMatchObject({ status: 304, text: '', headers: { etag } });
    configure('logo.png', SVG);
    expect((await again()).status).toBe(200);
  });

  test('is not available without a setting, which is no reason to warn', async () => {
    const { lines, result } = await logOf(async () => call(getLogo));
    expect([result.status, result.json()]).toMatchObject(NOT_AVAILABLE);
    expect(lines.filter(({ level }) => level === 'WARN')).toEqual([]);
  });

  test.each([
    ['a page', '<!doctype html><script>alert(1)</script>', 'no PNG, JPEG or SVG'],
    ['a page that has an SVG', '<html><svg></svg></html>', 'no PNG, JPEG or SVG'],
    ['a comment without an end', '<!-- <svg>', 'no PNG, JPEG or SVG'],
    ['empty', '', 'no PNG, JPEG or SVG'],
    ['too large', Buffer.concat([PNG, Buffer.alloc(1_048_576)]), 'a logo at most 1048576'],
  ])('is not available where its file is %s, and the log says why, once', async (name, content, reason) => {
    configure(`${name}.svg`, content);
    const { lines, result } = await logOf(async () => [await call(getLogo), await call(getLogo)]);
    for (const { status, json } of result) expect([status, json()]).toMatchObject(NOT_AVAILABLE);
    const warnings = lines.filter(({ level }) => level === 'WARN');
    expect(warnings).toEqual([expect.objectContaining({ reason: expect.stringContaining(reason) })]);
  });

  test('is not available where its file is missing or a folder', async () => {
    for (const path of [join(folder, 'nothing.png'), folder]) {
      vi.stubEnv('Branding__CustomerLogo', path);
      const { status, json } = await call(getLogo);
      expect([status, json()]).toMatchObject(NOT_AVAILABLE);
    }
  });
});
