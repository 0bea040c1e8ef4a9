// Uploads in parts. A part is content like an object's; the last request copies all of them into one file.
import { createHash, randomUUID } from 'node:crypto';
import type { Request } from '../request.ts';
import { afterPrefix, type Part, requireKey, type Upload } from './catalog.ts';
import {
  invalidArgument,
  invalidPart,
  invalidPartOrder,
  malformed,
  onlyKnown,
  partTooSmall,
  preconditionFailed,
} from './errors.ts';
import { isTag } from './reads.ts';
import { commitContent, DEFAULT_TYPE, quoted, requireStar, type Writing, writeObject } from './writes.ts';

const MIN_PART_BYTES = 5 * 1_024 * 1_024;
const MAX_PARTS = 10_000;
const MAX_LISTED = 1_000;

// lib-storage gives every request the parameters of all of them; S3 sends and reads those that a command has.
const OF_OTHERS = ['Bucket', 'Key', 'ContentType', 'ChecksumAlgorithm', 'IfNoneMatch'];
const OF_UPLOAD = [...OF_OTHERS, 'UploadId'];

type NamedPart = { readonly PartNumber: number; readonly ETag: string };

/** The commands of uploads in parts. */
export function createMultipart(writing: Writing) {
  const { database, catalog, content, now } = writing;

  async function createUpload(request: Request) {
    onlyKnown(request, OF_OTHERS);
    const { Bucket, ContentType = DEFAULT_TYPE } = request;
    const upload = { id: randomUUID(), bucket: String(Bucket), key: requireKey(request.Key) };
    await database.commit(() => {
      catalog.requireBucket(Bucket);
      catalog.createUpload(upload, String(ContentType), now());
    });
    return { Bucket, Key: upload.key, UploadId: upload.id };
  }

  async function uploadPart(request: Request) {
    onlyKnown(request, [...OF_UPLOAD, 'PartNumber', 'Body', 'ContentLength']);
    const upload = uploadOf(request);
    const number = Number(request.PartNumber);
    if (!Number.isInteger(number) || number < 1 || number > MAX_PARTS)
      throw invalidArgument(`Part number must be an integer between 1 and ${MAX_PARTS}, inclusive`);
    catalog.requireBucket(upload.bucket);
    catalog.requireUpload(upload);
    const received = await content.receive(request.Body, request.ContentLength as number | undefined);
    const etag = quoted(received.md5);
    await commitContent(writing, received.content, () => {
      catalog.requireUpload(upload);
      const before = catalog.parts(upload.id).filter((part) => part.number === number);
      catalog.writePart(upload.id, { ...received, number, etag });
      return { unused: before.map((part) => part.content) };
    });
    return { ETag: etag };
  }

  async function completeUpload(request: Request) {
    onlyKnown(request, [...OF_UPLOAD, 'MultipartUpload']);
    const { IfNoneMatch: ifNoneMatch, Bucket } = request;
    requireStar(ifNoneMatch);
    const upload = uploadOf(request);
    catalog.requireBucket(Bucket);
    catalog.requireUpload(upload);
    if (ifNoneMatch !== undefined && catalog.find(upload.bucket, upload.key)) throw preconditionFailed();
    const { Parts = [] } = (request.MultipartUpload ?? {}) as { Parts?: readonly NamedPart[] };
    const parts = chosenParts(Parts, catalog.parts(upload.id));
    const { content: whole, size } = await content.receive(joined(parts));
    const md5OfParts = createHash('md5');
    for (const { etag } of parts) md5OfParts.update(Buffer.from(etag.replaceAll('"', ''), 'hex'));
    const etag = `"${md5OfParts.digest('hex')}-${parts.length}"`;
    await commitContent(writing, whole, () => {
      const bucket = catalog.requireBucket(Bucket);
      const { type } = catalog.requireUpload(upload);
      // A part may have been sent again meanwhile.
      const contents = new Set(catalog.parts(upload.id).map((part) => part.content));
      if (!parts.every((part) => contents.has(part.content))) throw invalidPart();
      const write = {
        key: upload.key,
        event: 's3:ObjectCreated:CompleteMultipartUpload',
        ifNoneMatch,
      } as const;
      const object = { content: whole, size, etag, type, modifiedMs: now() };
      const unused = writeObject(writing, bucket, write, object);
      return { unused: [...unused, ...catalog.removeUpload(upload.id)] };
    });
    return { Bucket, Key: upload.key, ETag: etag };
  }

  async function* joined(parts: readonly Part[]): AsyncGenerator<Uint8Array> {
    for (const part of parts) {
      const file = await content.open(part.content).catch(() => {
        throw invalidPart();
      });
      yield* file.createReadStream();
    }
  }

  async function abortUpload(request: Request) {
    onlyKnown(request, ['Bucket', 'Key', 'UploadId']);
    const upload = uploadOf(request);
    const unused = await database.commit(() => {
      catalog.requireBucket(upload.bucket);
      catalog.requireUpload(upload);
      return catalog.removeUpload(upload.id);
    });
    await content.remove(...unused);
    return {};
  }

  async function listUploads(request: Request) {
    onlyKnown(request, ['Bucket', 'Prefix']);
    const { name } = catalog.requireBucket(request.Bucket);
    const { Prefix = '' } = request as { Prefix?: string };
    const found = catalog.uploads(name, { from: Prefix, before: afterPrefix(Prefix) }, MAX_LISTED + 1);
    const Uploads = found
      .slice(0, MAX_LISTED)
      .map(({ id, key, startedMs }) => ({ UploadId: id, Key: key, Initiated: new Date(startedMs) }));
    return {
      Bucket: name,
      Prefix,
      IsTruncated: found.length > MAX_LISTED,
      ...(found.length > 0 && { Uploads }),
    };
  }

  return {
    CreateMultipartUpload: createUpload,
    UploadPart: uploadPart,
    CompleteMultipartUpload: completeUpload,
    AbortMultipartUpload: abortUpload,
    ListMultipartUploads: listUploads,
  };
}

const uploadOf = ({ Bucket, Key, UploadId }: Request): Upload => ({
  id: String(UploadId),
  bucket: String(Bucket),
  key: requireKey(Key),
});

/** The parts that the last request names, in their order. Parts that it does not name are left out. */
function chosenParts(named: readonly NamedPart[], stored: readonly Part[]): Part[] {
  if (named.length === 0) throw malformed();
  const byNumber = new Map(stored.map((part) => [part.number, part]));
  if (named.some(({ PartNumber }, index) => PartNumber <= Number(named[index - 1]?.PartNumber)))
    throw invalidPartOrder();
  const parts = named.map(({ PartNumber, ETag }) => {
    const part = byNumber.get(PartNumber);
    if (!part || ETag === undefined || !isTag(ETag, part.etag)) throw invalidPart();
    return part;
  });
  if (parts.slice(0, -1).some(({ size }) => size < MIN_PART_BYTES)) throw partTooSmall();
  return parts;
}
