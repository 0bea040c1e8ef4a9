import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { batches } from '../../../../../functions/credentials/degrees/batches/domain/batch.ts';
import { handler as create } from '../../../../../functions/credentials/degrees/batches/endpoints/create-degree-batch.ts';
import { handler as list } from '../../../../../functions/credentials/degrees/batches/endpoints/list-degree-batches.ts';
import { handler as presign } from '../../../../../functions/credentials/degrees/batches/endpoints/presign-degree-batch.ts';
import { files } from '../../../../../shared/files/files.ts';
import { call } from '../../../../requests/http-event.ts';
import { termsOf } from '../../../../requests/links.ts';
import { forFile } from '../../../../runner/for-file.ts';
import { ownStores } from '../../../own-stores.ts';
import { type Batch, batchCalls, refused, work } from './calls.ts';
import { fileOf, ownStage, type Stage } from './stage.ts';

let stage: Stage;
await forFile(ownStores());
beforeEach(async () => {
  stage = await ownStage();
});

const { read } = batchCalls(() => stage);

describe('an upload of a batch', () => {
  type Link = {
    readonly uploadId: string;
    readonly url: string;
    readonly method: string;
    readonly headers: Record<string, string>;
  };
  const linkFor = async (size: number, headers = stage.headers): Promise<Link> =>
    (await call(presign, { headers, json: { size } })).json() as Link;
  const put = async ({ url, method, headers }: Link, body: Buffer) =>
    (await fetch(url, { method, headers, body: new Uint8Array(body) })).status;
  const use = (uploadId: string, headers = stage.headers) => call(create, { headers, json: { uploadId } });

  test('is put straight into the store, and becomes a batch', async () => {
    const file = fileOf([stage.degree(1), 'bad', stage.degree(3)]);
    const link = await linkFor(file.length);
    expect(link).toEqual({
      uploadId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      method: 'PUT',
      url: expect.any(String),
      headers: { 'content-type': 'application/x-ndjson' },
      expiresAt: expect.any(String),
    });
    expect(termsOf(link.url).seconds).toBe(3_600);
    expect(await put(link, file)).toBe(200);
    const answer = await use(link.uploadId);
    expect(refused(answer)).toMatchObject([202, { status: 'Created', lines: 3 }]);
    await work();
    const { id } = answer.json() as Batch;
    expect(await read(id)).toMatchObject([200, { status: 'Finished', created: 2, failed: 1 }]);
  });

  test('becomes one batch, however often it is named', async () => {
    const file = fileOf([stage.degree(1)]);
    const link = await linkFor(file.length);
    await put(link, file);
    const answers = await Promise.all([use(link.uploadId), use(link.uploadId), use(link.uploadId)]);
    expect(answers.map(({ status }) => status)).toEqual([202, 202, 202]);
    await work();
    const again = await use(link.uploadId);
    const ids = [...answers, again].map(({ json }) => (json() as Batch).id);
    expect(new Set(ids).size).toBe(1);
    expect(refused(again)).toMatchObject([202, { status: 'Finished', created: 1 }]);
    expect((await call(list, { headers: stage.headers })).json()).toMatchObject({ totalCount: 1 });
  });

  // Time of check to time of use: the link outlives the batch.
  test('is copied: a file that is put afterwards changes nothing', async () => {
    const [file, other] = [fileOf([stage.degree(1)]), fileOf([stage.degree(2)])];
    const link = await linkFor(file.length);
    await put(link, file);
    const { id } = (await use(link.uploadId)).json() as Batch;
    expect(await put(link, other)).toBe(200);
    await work();
    expect(await read(id)).toMatchObject([200, { created: 1 }]);
    expect((await batches.get(id))?.sha256).not.toBe('');
  });

  test('is refused as a body is', async () => {
    vi.stubEnv('MaxDegreesInBatch', '1');
    const file = fileOf([stage.degree(1), stage.degree(2)]);
    const link = await linkFor(file.length);
    await put(link, file);
    expect(refused(await use(link.uploadId))).toMatchObject([422, { code: 'TooManyLines' }]);
    vi.unstubAllEnvs();
    // The link is still there for a file that is right.
    expect((await use(link.uploadId)).status).toBe(202);
  });

  test('of another size than announced, of which nothing was put, or of another key is not found', async () => {
    const file = fileOf([stage.degree(1)]);
    const missing = expect.objectContaining({ code: 'UploadNotFound', resourceName: 'Upload' });
    expect(refused(await use(randomUUID()))).toEqual([404, missing]);
    const link = await linkFor(file.length);
    expect(refused(await use(link.uploadId))).toEqual([404, missing]);
    await put(link, file);
    const stranger = (await ownStage()).headers;
    expect(refused(await use(link.uploadId, stranger))).toEqual([404, missing]);
    await files('credentials').put(`batches/arriving/${link.uploadId}`, Buffer.from('{}\n'), {
      contentType: 'text/plain',
    });
    expect(refused(await use(link.uploadId))).toEqual([404, missing]);
  });

  test('that is too large, or of no size, is refused', async () => {
    vi.stubEnv('Batches__MaxBytes', '1000');
    const { headers } = stage;
    expect(refused(await call(presign, { headers, json: { size: 1_001 } }))).toMatchObject([
      413,
      { code: 'InvalidRequest' },
    ]);
    vi.unstubAllEnvs();
    for (const size of [0, -1, 1.5, '9', null])
      expect(refused(await call(presign, { headers, json: { size } }))).toMatchObject([
        422,
        { code: 'InvalidFields' },
      ]);
  });
});
