import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { documentItems } from '../../../../../functions/documents/domain/document/document.ts';
import {
  collectUpload,
  requireReceivedUpload,
  takingUploads,
} from '../../../../../functions/documents/domain/uploads/take-or-collect.ts';
import { fileOf, uploads } from '../../../../../functions/documents/domain/uploads/upload.ts';
import { handler as createDocuments } from '../../../../../functions/documents/endpoints/documents/create-documents.ts';
import { handler } from '../../../../../functions/documents/endpoints/uploads/create-presigned-upload.ts';
import { files } from '../../../../../shared/files/files.ts';
import { commit } from '../../../../../shared/store/commit.ts';
import { RaceLost } from '../../../../../shared/store/refusals.ts';
import { call } from '../../../../requests/http-event.ts';
import { termsOf } from '../../../../requests/links.ts';
import { forFile } from '../../../../runner/for-file.ts';
import { ownStores } from '../../../own-stores.ts';
import { ownOrganization } from '../../own-organization.ts';
import { anUpload, SIGNER } from '../../sample-documents.ts';
import { collectAt } from '../../stage/run-collection.ts';

type Link = {
  readonly id: string;
  readonly method: string;
  readonly url: string;
  readonly headers: Record<string, string>;
  readonly expiresAt: string;
};

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

let orgId: string;
let key: string;
await forFile(ownStores());
beforeEach(async () => {
  ({ orgId, key } = await ownOrganization());
});
afterEach(() => {
  vi.unstubAllEnvs();
});

const ask = (json: unknown) => call(handler, { json, headers: { 'X-API-Key': key } });
const linkFor = async (size: number): Promise<Link> =>
  (await ask({ name: 'grande.bin', contentType: 'application/x-own', size })).json() as Link;
const put = async ({ url, method, headers }: Link, body: Buffer): Promise<number> =>
  (await fetch(url, { method, headers, body: new Uint8Array(body) })).status;
const md5 = (content: Buffer): string => createHash('md5').update(content).digest('hex');
const bytesOf = (file: string) => files('documents').read(file, 10_000_000);
const filesOf = async (id: string): Promise<string[]> =>
  (await Promise.all(['uploads/', 'arriving/'].map((prefix) => files('documents').list(`${prefix}${id}`))))
    .flatMap((page) => page.files)
    .map((file) => file.key);

describe('POST /api/uploads/presigned', () => {
  test('answers a link by which the file is put straight into the store', async () => {
    const content = randomBytes(70_000);
    const before = Date.now();
    const { status, json } = await ask({
      name: 'grande.bin',
      contentType: 'application/x-own',
      size: content.length,
    });
    const link = json() as Link;
    expect(status).toBe(200);
    expect(link).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      method: 'PUT',
      url: expect.stringMatching(/[?&](X-Amz-S|s)ignature=/),
      headers: { 'content-type': 'application/x-own' },
      expiresAt: expect.any(String),
    });
    expect(Date.parse(link.expiresAt) - before).toBeGreaterThanOrEqual(HOUR_MS);
    expect(await put(link, content)).toBe(200);
    expect(await requireReceivedUpload(link.id, orgId)).toMatchObject({
      state: 'Received',
      name: 'grande.bin',
      contentType: 'application/x-own',
      size: content.length,
      md5: md5(content),
    });
  });

  test('signs the link for an hour, the type and the size', async () => {
    const headers = ['content-length', 'content-type'];
    expect(termsOf((await linkFor(7)).url)).toEqual({ seconds: 3_600, headers });
  });

  test('refuses a size over Uploads:MaxBytes with 413 and both sizes', async () => {
    vi.stubEnv('Uploads__MaxBytes', '1000');
    const { status, json } = await ask({ name: 'a', contentType: 'a/b', size: 1001 });
    expect(status).toBe(413);
    expect(json()).toMatchObject({ details: { limitBytes: '1000', actualBytes: '1001' } });
  });

  test.each([
    ['size', { name: 'a', contentType: 'a/b', size: 0 }],
    ['size', { name: 'a', contentType: 'a/b' }],
    ['name', { contentType: 'a/b', size: 1 }],
    ['contentType', { name: 'a', contentType: 'none', size: 1 }],
    ['contentType', { name: 'a', contentType: 'a/b\r\nx: y', size: 1 }],
  ])('answers 400 naming %s', async (field, body) => {
    const { status, json } = await ask(body);
    expect([status, json()]).toMatchObject([400, { code: 'InvalidRequest', details: { field } }]);
  });
});

describe('a presigned upload', () => {
  test('becomes a document by its id once its file is put', async () => {
    const content = randomBytes(500);
    const link = await linkFor(content.length);
    await put(link, content);
    const json = { files: [{ id: link.id }], flowActions: [SIGNER] };
    const { status, json: answered } = await call(createDocuments, { json, headers: { 'X-API-Key': key } });
    expect(status).toBe(200);
    const [made] = answered() as { documentId: string }[];
    const { original } = (await documentItems.get(made?.documentId ?? '')) ?? {};
    expect(original).toMatchObject({ name: 'grande.bin', size: 500, md5: md5(content) });
    expect((await bytesOf(original?.key ?? ''))?.equals(content)).toBe(true);
  });

  test('is refused with UploadNotFound while nothing is put, and taken once it is', async () => {
    const link = await linkFor(3);
    await expect(requireReceivedUpload(link.id, orgId)).rejects.toMatchObject({ code: 'UploadNotFound' });
    await put(link, Buffer.from('abc'));
    expect(await requireReceivedUpload(link.id, orgId)).toMatchObject({ state: 'Received' });
  });

  test('is refused with UploadIncomplete when another size was put', async () => {
    const link = await linkFor(3);
    await files('documents').put(`arriving/${link.id}`, Buffer.from('four'), { contentType: 'a/b' });
    await expect(requireReceivedUpload(link.id, orgId)).rejects.toMatchObject({
      code: 'UploadIncomplete',
      details: { announcedBytes: 3, actualBytes: 4 },
    });
  });

  test('keeps the file of the document whatever is put by the link afterwards', async () => {
    const link = await linkFor(3);
    await put(link, Buffer.from('one'));
    const { uploads: found, writes } = await takingUploads([link.id], orgId);
    await commit(writes);
    await put(link, Buffer.from('two'));
    const taken = found.get(link.id);
    expect((await bytesOf(taken ? fileOf(taken) : ''))?.toString()).toBe('one');
    await collectUpload(link.id);
    expect(await filesOf(link.id)).toEqual([taken?.file]);
  });

  // Two calls receive the file while its sender puts another one:
  //
  //   call 1  |--copies v1-- received --|
  //   sender        |--puts v2--|
  //   call 2            |--copies v2-- refused: reads again, v1 is received
  test('is measured as it was copied, however many take it in at once', async () => {
    const link = await linkFor(3);
    await put(link, Buffer.from('one'));
    const calls = [
      requireReceivedUpload(link.id, orgId),
      put(link, Buffer.from('two')),
      requireReceivedUpload(link.id, orgId),
    ];
    await Promise.all(calls);
    const upload = await uploads.get(link.id);
    const kept = await bytesOf(upload ? fileOf(upload) : '');
    expect(md5(kept ?? Buffer.alloc(0))).toBe(upload?.md5);
    expect((await filesOf(link.id)).filter((file) => file.startsWith('uploads/'))).toEqual([upload?.file]);
  });

  test('is collected when no document takes it: what was put, and what was copied', async () => {
    const [unused, copied, unsent] = [await linkFor(3), await linkFor(3), await linkFor(3)];
    for (const link of [unused, copied]) await put(link, Buffer.from('abc'));
    await requireReceivedUpload(copied.id, orgId);
    await collectAt(Date.now() + DAY_MS + 1_000);
    for (const { id } of [unused, copied, unsent]) {
      expect(await uploads.get(id)).toBeUndefined();
      expect(await filesOf(id)).toEqual([]);
    }
  });

  test('is not collected before its link has ended', async () => {
    vi.stubEnv('Uploads__KeptFor', '300');
    const link = await linkFor(3);
    await collectAt(Date.now() + HOUR_MS);
    expect(await uploads.get(link.id)).toMatchObject({ state: 'Receiving' });
    await collectAt(Date.now() + 2 * HOUR_MS);
    expect(await uploads.get(link.id)).toBeUndefined();
  });
});

describe('an upload that a document takes', () => {
  test('is taken once: the second is refused with UploadAlreadyUsed, as is one named twice', async () => {
    const id = await anUpload(orgId);
    const first = await takingUploads([id], orgId);
    const second = await takingUploads([id], orgId);
    await commit(first.writes);
    await expect(commit(second.writes)).rejects.toThrow(RaceLost);
    await expect(takingUploads([id], orgId)).rejects.toMatchObject({ code: 'UploadAlreadyUsed' });
    const other = await anUpload(orgId);
    await expect(takingUploads([other, other], orgId)).rejects.toMatchObject({
      code: 'UploadAlreadyUsed',
      details: { uploadId: other },
    });
  });

  test('is one that has arrived, in its own organization', async () => {
    const theirs = await anUpload((await ownOrganization()).orgId);
    for (const id of [theirs, randomUUID()])
      await expect(takingUploads([id], orgId)).rejects.toMatchObject({ code: 'UploadNotFound' });
  });

  test('is left alone by the collector, its file too', async () => {
    const id = await anUpload(orgId);
    await commit((await takingUploads([id], orgId)).writes);
    await collectAt(Date.now() + 2 * DAY_MS);
    expect(await uploads.get(id)).toMatchObject({ state: 'Taken' });
    expect(await filesOf(id)).toEqual([`uploads/${id}`]);
  });

  // The collector runs while a document takes the upload:
  //
  //   document   |--reads Received------------------ takes: refused --|
  //   collector         |--Collecting-- file -- item --|
  test('is refused to the document when the collector was first, and to the collector when the document was', async () => {
    const [late, early] = [await anUpload(orgId), await anUpload(orgId)];
    const [lost, won] = [await takingUploads([late], orgId), await takingUploads([early], orgId)];
    expect(await collectUpload(late)).toBe('collected');
    await expect(commit(lost.writes)).rejects.toThrow(RaceLost);
    await expect(takingUploads([late], orgId)).rejects.toMatchObject({ code: 'UploadNotFound' });
    await commit(won.writes);
    expect(await collectUpload(early)).toBe('taken');
    expect(await bytesOf(`uploads/${early}`)).toBeDefined();
  });
});
