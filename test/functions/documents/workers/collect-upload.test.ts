import { Readable } from 'node:stream';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { receiveUpload } from '../../../../functions/documents/domain/uploads/receive-upload.ts';
import { uploads } from '../../../../functions/documents/domain/uploads/upload.ts';
import { handler as createUpload } from '../../../../functions/documents/endpoints/uploads/create-upload.ts';
import { handler as collectUpload } from '../../../../functions/documents/workers/collect-upload.ts';
import { ORGANIZATION_ID, SANDBOX_KEY } from '../../../../functions/sandbox/sandbox-data.ts';
import { seedSandbox } from '../../../../infra/local/seed/seed.ts';
import { killedAt } from '../../../faults/crash.ts';
import { call, httpEvent, lambdaContext } from '../../../requests/http-event.ts';
import { forFile } from '../../../runner/for-file.ts';
import { ownStores } from '../../own-stores.ts';
import { fileForm } from '../file-form.ts';
import { collectAt, storedFiles } from '../stage/run-collection.ts';
import { storedUploads } from '../stage/stored-uploads.ts';

const DAY_MS = 86_400_000;
const NOON_MS = Date.UTC(2027, 0, 1, 12);

const arriving = (content: Readable | Buffer) => ({
  organizationId: ORGANIZATION_ID,
  name: 'a.txt',
  contentType: 'text/plain',
  content,
});

async function post(file: File) {
  const { body, headers } = await fileForm(file);
  return call(createUpload, { body, headers: { ...headers, 'X-API-Key': SANDBOX_KEY } });
}

await forFile(ownStores());
await seedSandbox();
afterEach(async () => {
  vi.unstubAllEnvs();
  await collectAt(NOON_MS + 1000 * DAY_MS);
});

describe('an upload that no document uses', () => {
  test('is kept until Uploads:KeptFor is over, a day by default', async () => {
    const { id } = await receiveUpload(arriving(Buffer.from('x')), NOON_MS);
    expect(await collectAt(NOON_MS + DAY_MS - 1)).toBe(0);
    expect(await uploads.get(id)).toMatchObject({ state: 'Received' });
    expect(await storedFiles()).toEqual([`uploads/${id}`]);
  });

  test('is collected after that: its file and its item are gone', async () => {
    const { id } = await receiveUpload(arriving(Buffer.from('x')), NOON_MS);
    expect(await collectAt(NOON_MS + DAY_MS)).toBe(1);
    expect(await uploads.get(id)).toBeUndefined();
    expect(await storedFiles()).toEqual([]);
  });

  test('is kept as long as the setting says when it arrives', async () => {
    vi.stubEnv('Uploads__KeptFor', '01:00:00');
    const { id } = await receiveUpload(arriving(Buffer.from('x')), NOON_MS);
    await collectAt(NOON_MS + 3_600_000);
    expect(await uploads.get(id)).toBeUndefined();
  });

  test('is collected once by a message that comes twice', async () => {
    const { id } = await receiveUpload(arriving(Buffer.from('x')), NOON_MS);
    const record = (messageId: string) => ({
      ...{ messageId, receiptHandle: '', md5OfBody: '', eventSource: '', eventSourceARN: '', awsRegion: '' },
      body: JSON.stringify({ uploadId: id }),
      attributes: {
        ...{ ApproximateReceiveCount: '1', SentTimestamp: '0', SenderId: '' },
        ApproximateFirstReceiveTimestamp: '0',
      },
      messageAttributes: {},
    });
    const once = await collectUpload({ Records: [record('1')] });
    const again = await collectUpload({ Records: [record('2')] });
    expect([once, again]).toEqual([{ batchItemFailures: [] }, { batchItemFailures: [] }]);
    expect(await storedFiles()).toEqual([]);
  });
});

describe('what a refused or interrupted upload leaves', () => {
  test('is gone after its collection when the file was empty', async () => {
    expect((await post(new File([], 'a.txt'))).status).toBe(422);
    await collectAt(Date.now() + 2 * DAY_MS);
    expect([await storedUploads(), await storedFiles()]).toEqual([[], []]);
  });

  test('is gone after its collection when the file was too large', async () => {
    vi.stubEnv('Uploads__MaxBytes', '10');
    expect((await post(new File(['more than ten bytes'], 'a.txt'))).status).toBe(413);
    await collectAt(Date.now() + 2 * DAY_MS);
    expect([await storedUploads(), await storedFiles()]).toEqual([[], []]);
  });

  test('is nothing when the sender of a small file is cut off: it is stored when all of it is there', async () => {
    const cut = Readable.from(cutOff(Buffer.from('the first half')));
    await expect(receiveUpload(arriving(cut), NOON_MS)).rejects.toThrow('The connection was cut.');
    expect([await storedUploads(), await storedFiles()]).toEqual([[], []]);
  });

  // The sender of a large file is cut off:
  //
  //   record + collect later |--- half a file --- cut            a day later: the message comes back
  //            item                 item, no file                        nothing
  test('is a recorded item with no file when the sender of a large one is, and is gone after its collection', async () => {
    const cut = Readable.from(cutOff(Buffer.alloc(2_000_000)));
    await expect(receiveUpload(arriving(cut), NOON_MS)).rejects.toThrow('The connection was cut.');
    expect(await storedUploads()).toEqual(['Receiving']);
    expect(await storedFiles()).toEqual([]);
    await collectAt(NOON_MS + DAY_MS);
    expect([await storedUploads(), await storedFiles()]).toEqual([[], []]);
  });

  // call  |--item, as received--| killed          a day later: the message comes back
  //        its id is known to nobody                    nothing
  test('is an item with no file when the call is killed in between, and is gone after its collection', async () => {
    await killedAt(1, 'after', () => receiveUpload(arriving(Buffer.from('small')), NOON_MS));
    expect([await storedUploads(), await storedFiles()]).toEqual([['Received'], []]);
    await collectAt(NOON_MS + DAY_MS);
    expect([await storedUploads(), await storedFiles()]).toEqual([[], []]);
  });

  test('is gone after its collection when a form ends in the middle of its file', async () => {
    const { body, headers } = await fileForm(new File(['x'.repeat(100_000)], 'a.txt'));
    const event = httpEvent({ method: 'POST', headers: { ...headers, 'X-API-Key': SANDBOX_KEY } });
    const bodyStream = Readable.from([body.subarray(0, 50_000)]);
    const { statusCode } = await createUpload({ ...event, bodyStream }, lambdaContext());
    expect(statusCode).toBe(400);
    await collectAt(Date.now() + 2 * DAY_MS);
    expect([await storedUploads(), await storedFiles()]).toEqual([[], []]);
  });

  test('is gone after its collection when the connection fails in the middle of its file', async () => {
    const { body, headers } = await fileForm(new File(['x'.repeat(100_000)], 'a.txt'));
    const event = httpEvent({ method: 'POST', headers: { ...headers, 'X-API-Key': SANDBOX_KEY } });
    const bodyStream = Readable.from(cutOff(body.subarray(0, 50_000)));
    const { statusCode } = await createUpload({ ...event, bodyStream }, lambdaContext());
    expect(statusCode).toBeGreaterThanOrEqual(400);
    await collectAt(Date.now() + 2 * DAY_MS);
    expect([await storedUploads(), await storedFiles()]).toEqual([[], []]);
  });
});

async function* cutOff(sent: Buffer): AsyncGenerator<Buffer> {
  yield sent;
  throw new Error('The connection was cut.');
}
