import { Readable } from 'node:stream';
import { GetObjectCommand, HeadObjectCommand, ListObjectsV2Command } from '@aws-sdk/client-s3';
import { s3 } from './client.ts';
import { statusOf, TooLarge } from './errors.ts';

export type FileInfo = { readonly length: number; readonly contentType: string; readonly etag: string };
export type OpenFile = FileInfo & { readonly stream: Readable };

/** The size, type and tag of a file, or undefined if it does not exist. */
export async function head(Bucket: string, Key: string): Promise<FileInfo | undefined> {
  const found = await undefinedIfMissing(s3().send(new HeadObjectCommand({ Bucket, Key })));
  return found && fileInfoOf(found);
}

/** Opens a file, or answers undefined if it does not exist. */
export async function get(Bucket: string, Key: string): Promise<OpenFile | undefined> {
  const found = await undefinedIfMissing(s3().send(new GetObjectCommand({ Bucket, Key })));
  if (!found) return undefined;
  if (!(found.Body instanceof Readable)) throw new Error(`S3 returned no content for the file ${Key}.`);
  return { ...fileInfoOf(found), stream: found.Body };
}

/** Reads a whole file into memory. Throws TooLarge before the content is read. */
export async function read(Bucket: string, Key: string, maxBytes: number): Promise<Buffer | undefined> {
  const found = await get(Bucket, Key);
  if (!found) return undefined;
  if (found.length > maxBytes) {
    found.stream.destroy();
    throw new TooLarge(Key, maxBytes, found.length);
  }
  return Buffer.concat(await found.stream.toArray());
}

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
    if (statusOf(error) === 404 && (error as Error).name !== 'NoSuchBucket') return undefined;
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

// The page size of S3.
const PAGE_FILES = 1_000;

export async function list(Bucket: string, Prefix: string, cursor?: string): Promise<ListPage> {
  const page = await s3().send(
    new ListObjectsV2Command({ Bucket, Prefix, MaxKeys: PAGE_FILES, ContinuationToken: cursor }),
  );
  const files = (page.Contents ?? []).map(({ Key = '', Size = 0, ETag = '', LastModified }) => ({
    key: Key,
    length: Size,
    etag: ETag,
    modifiedAtMs: LastModified?.getTime() ?? 0,
  }));
  return { files, cursor: page.NextContinuationToken };
}
