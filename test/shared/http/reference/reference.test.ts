import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, afterEach, expect, test, vi } from 'vitest';
import { handler as getBatchReference } from '../../../../functions/batch/endpoints/get-reference.ts';
import { handler as getOpenApi } from '../../../../functions/session/endpoints/get-openapi.ts';
import { referenceEndpoint } from '../../../../shared/http/reference/reference-endpoint.ts';
import { call } from '../../../requests/http-event.ts';
import { sample } from '../sample.ts';

const folder = await mkdtemp(join(tmpdir(), 'reference-'));
await writeFile(join(folder, 'scalar.js.gz'), gzipSync('viewer()'));
afterAll(() => rm(folder, { recursive: true }));
afterEach(() => {
  vi.unstubAllEnvs();
});

const ask = (path: string | undefined, headers = {}) =>
  call(referenceEndpoint(sample() as never, { folder: pathToFileURL(`${folder}/`) }), {
    headers,
    ...(path !== undefined && { params: { path } }),
  });

test('the contract is served to anyone, and says where the service is', async () => {
  vi.stubEnv('Http__PublicUrl', 'https://sign.example.com/');
  const answered = await call(getOpenApi);
  expect(answered.status).toBe(200);
  expect(answered.json()).toMatchObject({
    openapi: '3.1.0',
    info: { title: 'Signing session server' },
    servers: [{ url: 'https://sign.example.com/session' }],
  });
});

test('the contract leads to the guides that are served beside it, and to none where none are', async () => {
  type Tag = { name: string; description: string; externalDocs?: { url: string } };
  const read = async () => (await call(getOpenApi)).json() as { externalDocs?: object; tags: Tag[] };
  const bare = await read();
  expect([bare.externalDocs, bare.tags.some((tag) => tag.externalDocs)]).toEqual([undefined, false]);
  vi.stubEnv('SINETE_DOCS', 'yes');
  vi.stubEnv('Http__PublicUrl', 'https://sign.example.com/');
  const { externalDocs, tags } = await read();
  const url = 'https://sign.example.com/docs/sessions';
  expect(externalDocs).toEqual({ description: 'Guide: Sessions', url });
  expect(tags[0]?.externalDocs?.url).toBe(url);
  expect(tags[0]?.description).toContain(`[Guide: Sessions](${url})`);
});

test('the reference is a page that loads nothing from elsewhere', async () => {
  const answered = await ask('v1');
  expect(answered.status).toBe(200);
  expect(answered.headers['content-type']).toBe('text/html; charset=utf-8');
  expect(answered.headers['content-security-policy']).toContain("default-src 'none'; script-src 'self'");
  expect(answered.text).not.toMatch(/https?:|\/\//);
  expect((await ask('v1/start.js')).text).not.toMatch(/https?:\/\//);
});

test('the page has the key of the sandbox filled in, on the local stage alone', async () => {
  expect((await ask('v1/start.js')).text).not.toContain('authentication');
  vi.stubEnv('SANDBOX_KEY', "sandbox|it's</script>");
  expect((await ask('v1/start.js')).text).toContain(
    `securitySchemes: { key: { value: "sandbox|it's</script>" } }`,
  );
  vi.stubEnv('STAGE', 'prod');
  expect((await ask('v1/start.js')).text).not.toContain('sandbox');
});

test('the viewer comes compressed to who takes it so, and plain to who does not', async () => {
  const compressed = await ask('v1/viewer.js', { 'Accept-Encoding': 'br, gzip' });
  expect(compressed.headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'accept-encoding' });
  expect(gunzipSync(compressed.bytes).toString()).toBe('viewer()');
  const plain = await ask('v1/viewer.js');
  expect(plain.headers).not.toHaveProperty('content-encoding');
  expect(plain.text).toBe('viewer()');
});

test('the short address leads to the page; any other path is an unknown route', async () => {
  const short = await ask(undefined);
  expect([short.status, short.headers.location]).toEqual([302, 'http://localhost:3000/sandbox/scalar/v1']);
  for (const path of ['v2', 'v1/../../secret', 'v1/', '__proto__'])
    expect((await ask(path)).status).toBe(404);
});

test('a deployment serves the reference of the batch service only where its setting says so', async () => {
  const page = () => call(getBatchReference, { params: { path: 'v1' } });
  expect((await page()).status).toBe(200);
  vi.stubEnv('STAGE', 'prod');
  expect((await page()).status).toBe(404);
  vi.stubEnv('Swagger__EnabledInProduction', 'true');
  expect((await page()).status).toBe(200);
});
