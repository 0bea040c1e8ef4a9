import { createHash, randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { AbortMultipartUploadCommand, CreateMultipartUploadCommand } from '@aws-sdk/client-s3';
import { expect, onTestFinished, test, vi } from 'vitest';
import { s3 } from '../../../shared/files/client.ts';
import { HashMismatch, TooLarge } from '../../../shared/files/errors.ts';
import { files } from '../../../shared/files/files.ts';

const store = files('documents');
const anyKey = (): string => `test/${randomUUID()}/procuração nº 1.pdf`;
const MB = 1024 * 1024;

/** A source of this many bytes in small, different chunks; `failAfter` makes it fail. */
async function* flow(length: number, failAfter = Number.POSITIVE_INFINITY): AsyncGenerator<Uint8Array> {
  for (let sent = 0; sent < length; sent += 64 * 1024) {
    if (sent >= failAfter) throw new Error('the line went dead');
    yield Buffer.alloc(Math.min(64 * 1024, length - sent), `${sent};`);
  }
}

/** Counts started and aborted multipart uploads. Not every store can list them. */
function watchUploads(): { readonly begun: () => number; readonly dropped: () => number } {
  const sent = vi.spyOn(s3(), 'send');
  onTestFinished(() => sent.mockRestore());
  const count = (kind: typeof CreateMultipartUploadCommand | typeof AbortMultipartUploadCommand) => () =>
    sent.mock.calls.filter(([command]) => command instanceof kind).length;
  return { begun: count(CreateMultipartUploadCommand), dropped: count(AbortMultipartUploadCommand) };
}

test('bytes are stored with their type and told by length, SHA-256, MD5 and entity tag', async () => {
  const key = anyKey();
  const stored = await store.put(key, Buffer.from('abc'), { contentType: 'text/plain' });
  expect(stored).toEqual({
    length: 3,
    sha256: 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
    md5: '900150983cd24fb0d6963f7d28e17f72',
    etag: '"900150983cd24fb0d6963f7d28e17f72"',
  });
  expect(await store.head(key)).toEqual({ length: 3, contentType: 'text/plain', etag: stored.etag });
  expect(await store.read(key, 3)).toEqual(Buffer.from('abc'));
});

test('an empty stream is an empty file', async () => {
  const key = anyKey();
  expect(await store.put(key, Readable.from([]), { contentType: 'text/plain' })).toMatchObject({ length: 0 });
  expect(await store.read(key, 0)).toEqual(Buffer.alloc(0));
});

test('a file that is not there is undefined, however it is asked for', async () => {
  const key = anyKey();
  expect([await store.get(key), await store.head(key), await store.read(key, 9)]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});

test('a part of a file is read by its range, up to the end of the file', async () => {
  const key = anyKey();
  await store.put(key, Buffer.from('0123456789'), { contentType: 'text/plain' });
  const part = async (from: number, length: number) =>
    (await store.readRange(key, { from, length }))?.toString();
  expect([await part(0, 4), await part(4, 4), await part(8, 4)]).toEqual(['0123', '4567', '89']);
  await expect(part(10, 4)).rejects.toThrow();
  expect(await store.readRange(anyKey(), { from: 0, length: 4 })).toBeUndefined();
});

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

/** Uploads and downloads a file of this length, and returns the most memory that was in use meanwhile. */
async function peakMemory(length: number): Promise<number> {
  const key = anyKey();
  let peak = 0;
  const watch = setInterval(() => {
    collectGarbage();
    const { heapUsed, arrayBuffers } = process.memoryUsage();
    peak = Math.max(peak, heapUsed + arrayBuffers);
  }, 250);
  const stored = await store.put(key, flow(length), { contentType: 'application/pdf', maxBytes: length });
  const opened = await store.get(key);
  const hash = createHash('sha256');
  for await (const chunk of opened?.stream ?? []) hash.update(chunk);
  clearInterval(watch);
  expect([stored.length, opened?.length]).toEqual([length, length]);
  expect(hash.digest('hex')).toBe(stored.sha256);
  expect(await store.deleteIfSame(key, stored)).toBe('deleted');
  return peak;
}

test('120 MB flow in and out, unchanged, in the memory that 12 MB take', async () => {
  const small = await peakMemory(12 * MB);
  const large = await peakMemory(120 * MB);
  // Parts are on their way at the same time. A file held whole would make the difference 108 MB or more.
  expect((large - small) / MB).toBeLessThan(64);
});

test.each([
  ['within the first part', 1 * MB, 0],
  ['after several parts', 16 * MB, 1],
])('a stream that passes its limit %s is refused and leaves nothing', async (_, maxBytes, uploads) => {
  const { begun, dropped } = watchUploads();
  const key = anyKey();
  const source = Readable.from(flow(40 * MB));
  const refusal = await store.put(key, source, { contentType: 'x/y', maxBytes }).catch((error) => error);
  expect(refusal).toBeInstanceOf(TooLarge);
  expect(refusal).toMatchObject({ limitBytes: maxBytes, seenBytes: maxBytes + 64 * 1024 });
  expect(source.destroyed).toBe(true);
  expect(await store.head(key)).toBeUndefined();
  expect([begun(), dropped()]).toEqual([uploads, uploads]);
});

test('bytes over the limit are refused without being sent', async () => {
  const key = anyKey();
  await expect(store.put(key, Buffer.alloc(10), { contentType: 'x/y', maxBytes: 9 })).rejects.toThrow(
    'larger than the 9 bytes allowed: it has at least 10 bytes',
  );
  expect(await store.head(key)).toBeUndefined();
});

test.each([
  ['within the first part', 1 * MB, 0],
  ['after several parts', 16 * MB, 1],
])('a source that breaks %s leaves nothing, and its own error is told', async (_, failAfter, uploads) => {
  const { begun, dropped } = watchUploads();
  const key = anyKey();
  await expect(store.put(key, flow(40 * MB, failAfter), { contentType: 'x/y' })).rejects.toThrow(
    'the line went dead',
  );
  expect(await store.head(key)).toBeUndefined();
  expect([begun(), dropped()]).toEqual([uploads, uploads]);
});

test('a failed replacement leaves the earlier file as it was', async () => {
  const key = anyKey();
  await store.put(key, Buffer.from('first'), { contentType: 'text/plain' });
  await store.put(key, flow(12 * MB, 9 * MB), { contentType: 'x/y' }).catch(() => undefined);
  expect(await store.read(key, 9)).toEqual(Buffer.from('first'));
});

test('content by another hash than announced is refused and leaves nothing', async () => {
  const key = anyKey();
  const { begun, dropped } = watchUploads();
  const announced = { contentType: 'x/y', sha256: 'ab'.repeat(32) };
  await expect(store.put(key, flow(9 * MB), announced)).rejects.toBeInstanceOf(HashMismatch);
  await expect(store.put(key, Buffer.from('x'), announced)).rejects.toBeInstanceOf(HashMismatch);
  expect(await store.head(key)).toBeUndefined();
  expect([begun(), dropped()]).toEqual([1, 1]);
});

test('content by the announced hash is stored, whatever the case of the letters', async () => {
  const sha256 = createHash('sha256').update('abc').digest('hex').toUpperCase();
  await store.put(anyKey(), Buffer.from('abc'), { contentType: 'x/y', sha256 });
});

test('reading a file larger than asked for is refused with both sizes', async () => {
  const key = anyKey();
  await store.put(key, Buffer.alloc(100), { contentType: 'x/y' });
  const refusal = await store.read(key, 99).catch((error) => error);
  expect(refusal).toMatchObject({ name: 'TooLarge', limitBytes: 99, seenBytes: 100 });
});
