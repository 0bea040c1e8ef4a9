import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { handler as getPage } from '../../../../../functions/documents/endpoints/verification/get-verification-page.ts';
import { handler } from '../../../../../functions/documents/endpoints/verification/verify-file.ts';
import { SANDBOX_KEY } from '../../../../../functions/sandbox/sandbox-data.ts';
import { seedSandbox } from '../../../../../infra/local/seed/seed.ts';
import { files } from '../../../../../shared/files/files.ts';
import type { VerificationReport } from '../../../../../shared/signing/verification/report.ts';
import { distributedSemaphore } from '../../../../../shared/store/semaphore/semaphore.ts';
import { serveSandbox } from '../../../../cli/sandbox.ts';
import { comparable, makeSamples, reportByCommand, type Sample } from '../../../../cli/verify/samples.ts';
import { call } from '../../../../requests/http-event.ts';
import { forFile } from '../../../../runner/for-file.ts';
import { buildPdf, ONE_PAGE } from '../../../../shared/signing/pades/documents.ts';
import { everyItem } from '../../../../stores/whole-table.ts';
import { ownStores } from '../../../own-stores.ts';
import { encodeForm } from '../../file-form.ts';

await forFile(ownStores());
await seedSandbox();
const sandbox = await forFile(serveSandbox());
const samples = await makeSamples(sandbox);
beforeEach(() => {
  vi.stubEnv('Certificates__TrustAnchors', sandbox.pki('root.crt'));
  vi.stubEnv('Network__AllowPrivateAddresses', 'true');
  vi.stubEnv('Verification__Public', 'true');
});
afterEach(() => {
  vi.unstubAllEnvs();
});

/** A form as the page sends it, from its own client address unless one is given. */
async function verify(
  parts: Record<string, string | Uint8Array>,
  { address = String(randomUUID()), key = '' } = {},
) {
  const form = new FormData();
  for (const [name, value] of Object.entries(parts)) {
    const [field = '', fileName] = name.split(' ');
    if (typeof value === 'string' && !fileName) form.append(field, value);
    else form.append(field, new File([Uint8Array.from(Buffer.from(value))], fileName ?? ''));
  }
  const { body, headers } = await encodeForm(form);
  return call(handler, { body, address, headers: { ...headers, ...(key && { 'X-API-Key': key }) } });
}

const sent = ({ file, content }: Sample) => ({
  [`file ${basename(file)}`]: readFileSync(file),
  ...(content && { [`content ${basename(content)}`]: readFileSync(content) }),
});
const aboutField = (field: string, reason: unknown) => ({
  code: 'InvalidRequest',
  details: { field, reason },
});
const xml = () => ({ 'file a.xml': readFileSync(sandbox.path('valid.xml')) });

/** What the platform keeps, without the counters of limits. */
const keptItems = async () =>
  (await everyItem('documents')).filter(({ pk }) => !/^(?:RATE|SEMAPHORE)/.test(pk?.S ?? ''));

describe('POST /api/verification', () => {
  test('answers the report of the command line on the same files', async () => {
    vi.stubEnv('Verification__MaskCpf', 'false');
    expect(samples.length).toBeGreaterThan(10);
    for (const sample of samples) {
      const { status, json } = await verify(sent(sample));
      const report = comparable(json() as VerificationReport);
      expect([sample.file, status, report.outcome, report.reasons]).toEqual([
        sample.file,
        200,
        sample.outcome,
        sample.reasons,
      ]);
      expect(report).toEqual(await reportByCommand(sample, sandbox));
    }
  });

  test('takes the bytes of a file as they are, shows no whole CPF, and keeps nothing', async () => {
    const body = readFileSync(sandbox.path('valid.pdf'));
    const headers = { 'Content-Type': 'application/pdf' };
    const before = await keptItems();
    const { status, text, json } = await call(handler, { body, headers, address: randomUUID() });
    expect(status).toBe(200);
    expect(json()).toMatchObject({ file: null, outcome: 'valid' });
    expect(text).toContain('***.982.247-**');
    expect(text).not.toContain('52998224725');
    expect(await keptItems()).toEqual(before);
    expect((await files('documents').list('')).files).toEqual([]);
  });

  test('asks of an XML document for the elements that are named', async () => {
    const file = { 'file e.xml': readFileSync(sandbox.path('element.xml')) };
    const [asked, whole] = await Promise.all([verify({ ...file, covers: 'party' }), verify(file)]);
    expect([asked.json(), whole.json()]).toMatchObject([{ outcome: 'valid' }, { outcome: 'undetermined' }]);
  });

  test('asks for a key where it is not public, and its page takes codes alone there', async () => {
    expect((await call(getPage)).text).toContain('data-takes-files="true"');
    vi.stubEnv('Verification__Public', 'false');
    expect((await verify(xml())).status).toBe(401);
    expect((await verify(xml(), { key: SANDBOX_KEY })).status).toBe(200);
    expect((await call(getPage)).text).toContain('data-takes-files="false"');
  });

  test('counts those without a key by their address', async () => {
    vi.stubEnv('Verification__PermitLimit', '1');
    const address = '198.51.100.9';
    expect((await verify(xml(), { address })).status).toBe(200);
    const { status, headers, json } = await verify(xml(), { address });
    expect([status, Number(headers['retry-after']) > 0]).toEqual([429, true]);
    expect(json()).toMatchObject({ code: 'TooManyRequests' });
    expect((await verify(xml(), { address, key: SANDBOX_KEY })).status).toBe(200);
    expect((await verify(xml())).status).toBe(200);
  });

  test('verifies so many files at once, and refuses the next', async () => {
    vi.stubEnv('Verification__MaxConcurrent', '1');
    const gate = distributedSemaphore({ service: 'documents', name: 'verification' });
    const place = await gate.acquire({ limit: 1, queueLimit: 0, waitMs: 0 });
    if (!place) throw new Error('Nobody else is inside.');
    const busy = await verify(xml());
    expect([busy.status, busy.headers['retry-after']]).toEqual([429, '5']);
    gate.release(place);
    expect((await verify(xml())).status).toBe(200);
    expect((await verify(xml())).status).toBe(200); // the place was given back
  });

  test.each([
    ['no file', { covers: 'a' }, 422, { code: 'UploadEmpty' }],
    ['an empty file', { 'file a.pdf': '' }, 422, { code: 'UploadEmpty' }],
    ['text', { 'file a.txt': 'hello' }, 422, { details: { reason: 'not-a-signature' } }],
    ['a broken PDF', { 'file a.pdf': '%PDF-1.7' }, 422, { details: { reason: 'unreadable' } }],
    [
      'an encrypted PDF',
      { 'file a.pdf': buildPdf(ONE_PAGE, '/Encrypt<</Filter/Standard>>') },
      422,
      { details: { reason: 'encrypted' } },
    ],
    ['a part that it does not know', { 'file a.xml': '<a/>', 'more b.xml': '<b/>' }, 400, {}],
    [
      'a second file',
      { 'file a.xml': '<a/>', 'file b.xml': '<b/>' },
      400,
      aboutField('file', 'may be given once'),
    ],
    [
      'a text in place of the file',
      { file: 'a.xml' },
      400,
      aboutField('file', 'must be a file, and a text was sent'),
    ],
    [
      'covers that can name no element',
      { 'file a.xml': '<a/>', covers: '' },
      400,
      aboutField('covers', expect.stringContaining('names no element')),
    ],
    [
      'a file that is too large',
      { 'file a.pdf': Buffer.alloc(2_000) },
      413,
      { details: { limitBytes: '1000', actualBytes: '2000' } },
    ],
  ])('refuses %s', async (what, parts, status, refusal) => {
    if (what.includes('too large')) vi.stubEnv('Verification__MaxFileBytes', '1000');
    const answer = await verify(parts as Record<string, string | Uint8Array>);
    expect(answer.status).toBe(status);
    expect(answer.json()).toMatchObject(refusal);
  });

  test('says that nothing can be verified where no root is trusted', async () => {
    vi.stubEnv('Certificates__TrustAnchors', '');
    const { status, json } = await verify(xml());
    expect([status, json()]).toMatchObject([503, { code: 'SigningUnavailable' }]);
  });
});
