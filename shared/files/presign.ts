import { GetObjectCommand, PutObjectCommand } from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import type { Bucket } from './client.ts';
import { TooLarge } from './errors.ts';
import { contentDisposition } from './safe-name.ts';

export type UploadOptions = {
  readonly contentType: string;
  /** The announced size. S3 refuses a body of another size. */
  readonly length: number;
  readonly maxBytes: number;
  readonly expiresSeconds: number;
};
export type DownloadOptions = {
  readonly fileName: string;
  readonly expiresSeconds: number;
  readonly inline?: boolean;
};

/** The request that the uploader sends. */
export type PresignedUpload = {
  readonly method: 'PUT';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
};

// A presigned PUT cannot say "at most n bytes", only "exactly n". So the size is announced, compared with the limit
// here, and signed. Type and size are signed headers; S3 answers 403 to other values.
export async function uploadUrl(
  { name: Bucket, client }: Bucket,
  Key: string,
  link: UploadOptions,
): Promise<PresignedUpload> {
  if (link.length > link.maxBytes) throw new TooLarge(Key, link.maxBytes, link.length);
  const command = new PutObjectCommand({
    Bucket,
    Key,
    ContentType: link.contentType,
    ContentLength: link.length,
  });
  const url = await getSignedUrl(client, command, {
    expiresIn: link.expiresSeconds,
    signableHeaders: new Set(['host', 'content-type', 'content-length']),
  });
  return { method: 'PUT', url, headers: { 'content-type': link.contentType } };
}

export function downloadUrl(
  { name: Bucket, client }: Bucket,
  Key: string,
  link: DownloadOptions,
): Promise<string> {
  const disposition = contentDisposition(link.fileName, link.inline ? 'inline' : 'attachment');
  const command = new GetObjectCommand({ Bucket, Key, ResponseContentDisposition: disposition });
  return getSignedUrl(client, command, { expiresIn: link.expiresSeconds });
}
