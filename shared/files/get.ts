import { Readable } from 'node:stream';
import { GetObjectCommand, HeadObjectCommand, ListObjectsV2Command } from '@aws-sdk/client-s3';
import type { Bucket } from './client.ts';
import { isMissingFile, TooLarge } from './errors.ts';

export type FileInfo = { readonly length: number; readonly contentType: string; readonly etag: string };
export type OpenFile = FileInfo & { readonly stream: Readable };
/** A part of a file. `from` is within it. */
export type Range = { readonly from: number; readonly length: number };
/** The part that somebody asks for of a file of this size; undefined for all of it. */
export type RangeRequest = (size: number) => Range | undefined;

/** The size, type and tag of a file, or undefined if it does not exist. */
export async function head({ name: Bucket, client }: Bucket, Key: string): Promise<FileInfo | undefined> {
  const found = await undefinedIfMissing(client.send(new HeadObjectCommand({ Bucket, Key })));
  return found && fileInfoOf(found);
}

/** Opens a file or a part of it, or answers undefined if it does not exist. */
export async function get(
  { name: Bucket, client }: Bucket,
  Key: string,
  part?: Range,
): Promise<OpenFile | undefined> {
  const Range = part && rangeHeader(part);
  const found = await undefinedIfMissing(client.send(new GetObjectCommand({ Bucket, Key, Range })));
  if (!found) return undefined;
  if (!(found.Body instanceof Readable)) throw new Error(`S3 returned no content for the file ${Key}.`);
  return { ...fileInfoOf(found), stream: found.Body };
}

/** Reads a whole file into memory. Throws TooLarge before the content is read. */
export async function read(bucket: Bucket, Key: string, maxBytes: number): Promise<Buffer | undefined> {
  const found = await get(bucket, Key);
  if (!found) return undefined;
  if (found.length > maxBytes) {
    found.stream.destroy();
    throw new TooLarge(Key, maxBytes, found.length);
  }
  return readWhole(Key, found);
}

// In one allocation: chunks that are put together in the end take the file's memory twice.
async function readWhole(Key: string, { stream, length }: OpenFile): Promise<Buffer> {
  const bytes = Buffer.alloc(length);
  let at = 0;
  for await (const chunk of stream as AsyncIterable<Uint8Array>) {
    if (at + chunk.length <= length) bytes.set(chunk, at);
    at += chunk.length;
  }
  if (at !== length) throw new Error(`The file ${Key} has another length than its ${length} bytes.`);
  return bytes;
}

/** The bytes of a file from a position on, at most so many: fewer at its end. Undefined if it does not exist. */
export async function readRange(bucket: Bucket, Key: string, part: Range): Promise<Buffer | undefined> {
  const found = await get(bucket, Key, part);
  return found && Buffer.concat(await found.stream.toArray());
}

const rangeHeader = ({ from, length }: Range): string => `bytes=${from}-${from + length - 1}`;

type ObjectHeaders = {
  ContentLength?: number | undefined;
  ContentType?: string | undefined;
  ETag?: string | undefined;
};
const fileInfoOf = ({ ContentLength = 0, ContentType, ETag = '' }: ObjectHeaders): FileInfo => ({
  length: ContentLength,
  contentType: ContentType ?? 'application/octet-stream',
  etag: ETag,
});

async function undefinedIfMissing<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (isMissingFile(error)) return undefined;
    throw error;
  }
}

export type ListedFile = {
  readonly key: string;
  readonly length: number;
  readonly etag: string;
  readonly modifiedAtMs: number;
};
export type ListPage = { readonly files: readonly ListedFile[]; readonly cursor?: string | undefined };

export type ListOptions = {
  /** Continues where a page ended. */
  readonly cursor?: string | undefined;
  /** Files in the page, 1,000 at most. */
  readonly limit?: number;
};

// The page size of S3.
const PAGE_FILES = 1_000;

export async function list(
  { name: Bucket, client }: Bucket,
  Prefix: string,
  { cursor, limit = PAGE_FILES }: ListOptions = {},
): Promise<ListPage> {
  const page = await client.send(
    new ListObjectsV2Command({ Bucket, Prefix, MaxKeys: limit, ContinuationToken: cursor }),
  );
  const files = (page.Contents ?? []).map(({ Key = '', Size = 0, ETag = '', LastModified }) => ({
    key: Key,
    length: Size,
    etag: ETag,
    modifiedAtMs: LastModified?.getTime() ?? 0,
  }));
  return { files, cursor: page.NextContinuationToken };
}
