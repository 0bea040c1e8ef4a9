import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { handler as uploadFile } from '../../../../functions/batch/jobs/endpoints/upload-file.ts';
import { SANDBOX_KEY } from '../../../../functions/sandbox/sandbox-data.ts';
import { call } from '../../../requests/http-event.ts';
import { forFile } from '../../../runner/for-file.ts';
import { FORM_TYPE, field, filePart, formData, type RawPart } from '../../../shared/http/body/form-data.ts';
import { batchStage } from '../stage.ts';

const stage = await forFile(batchStage());
await stage.profile({ name: 'resting', enabled: false });
await stage.profile({ name: 'foldered', method: 'SignerFolder', signerFolder: { folderId: randomUUID() } });
beforeEach(() => {
  vi.stubEnv('Auth__ApiKey', SANDBOX_KEY);
});

type Upload = { readonly query?: Record<string, string>; readonly part?: RawPart };

async function codeOf({ query = {}, part = filePart('content') }: Upload): Promise<string> {
  const answer = await call(uploadFile, {
    method: 'POST',
    address: randomUUID(),
    query,
    headers: { 'X-API-Key': SANDBOX_KEY, ...FORM_TYPE },
    body: formData(part),
  });
  const { code } = answer.json() as { code?: string };
  return `${answer.status} ${code ?? ''}`.trim();
}

const unnamed = field('file', 'content');

// Every upload is wrong in what its row says and in everything below it: the refusal is that of its row.
describe('the first of these is the answer, in this order', () => {
  test('upload.disabled, before the profile is looked for', async () => {
    vi.stubEnv('Upload__Enabled', 'false');
    expect(await codeOf({ query: { profile: 'nobody', format: 'Zip' }, part: unnamed })).toBe(
      '409 upload.disabled',
    );
    vi.stubEnv('Upload__Enabled', 'true');
  });

  const longName = filePart('content', { disposition: `filename="${'a'.repeat(900)}.bin"` });
  test.each<[string, Upload]>([
    ['400 profile.not-found', { query: { profile: 'nobody', format: 'Zip' }, part: unnamed }],
    ['409 profile.disabled', { query: { profile: 'resting', format: 'Zip' }, part: unnamed }],
    ['409 profile.takes-no-files', { query: { profile: 'foldered', format: 'Zip' }, part: unnamed }],
    ['400 upload.format-unsupported', { query: { format: 'Zip' }, part: unnamed }],
    ['400 upload.empty', { part: field('file', '') }],
    ['400 upload.invalid-name', { part: unnamed }],
    // However large the file is.
    ['400 upload.invalid-name', { part: field('file', 'content'.repeat(100_000)) }],
    ['400 job.path-too-long', { part: longName }],
  ])('%s', async (expected, upload) => {
    expect(await codeOf(upload)).toBe(expected);
  });

  test('job.already-processing while a job is active, then file.already-processed', async () => {
    const part = filePart('content', { disposition: 'filename="once.bin"' });
    expect(await codeOf({ part })).toBe('202');
    expect(await codeOf({ part })).toBe('409 job.already-processing');
    await stage.run();
    expect(await codeOf({ part })).toBe('409 file.already-processed');
  });
});
