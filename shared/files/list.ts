import { ListObjectsV2Command } from '@aws-sdk/client-s3';
import { s3 } from './client.ts';

export type ListedFile = {
  readonly key: string;
  readonly length: number;
  readonly etag: string;
  readonly modifiedAtMs: number;
};
export type ListPage = { readonly files: readonly ListedFile[]; readonly cursor?: string | undefined };

// S3's own page.
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
