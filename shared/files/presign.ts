import { GetObjectCommand, PutObjectCommand } from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { hasProvidedStores, providedLinks } from '../embedded/provided.ts';
import { commonSettings } from '../settings/common.ts';
import { type Bucket, s3 } from './client.ts';
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
  const { contentType, length, expiresSeconds } = link;
  const command = new PutObjectCommand({ Bucket, Key, ContentType: contentType, ContentLength: length });
  const url =
    linksOf(client)?.upload({ bucket: Bucket, key: Key, contentType, length, expiresSeconds }) ??
    (await getSignedUrl(client, command, {
      expiresIn: expiresSeconds,
      signableHeaders: new Set(['host', 'content-type', 'content-length']),
    }));
  return { method: 'PUT', url, headers: { 'content-type': contentType } };
}

export async function downloadUrl(
  { name: Bucket, client }: Bucket,
  Key: string,
  link: DownloadOptions,
): Promise<string> {
  const { expiresSeconds } = link;
  const disposition = contentDisposition(link.fileName, link.inline ? 'inline' : 'attachment');
  const command = new GetObjectCommand({ Bucket, Key, ResponseContentDisposition: disposition });
  return (
    linksOf(client)?.download({ bucket: Bucket, key: Key, disposition, expiresSeconds }) ??
    getSignedUrl(client, command, { expiresIn: expiresSeconds })
  );
}

/** The stores of this process sign links to their own files. Another client reaches another store. */
const linksOf = (client: Bucket['client']) => (client === s3() ? providedLinks() : undefined);

/** Whether a link leads to the store of this installation, whose address its operator set. */
export function isOwnStoreLink(link: string): boolean {
  const { AWS_ENDPOINT_URL_S3, AWS_ENDPOINT_URL } = process.env;
  const store = hasProvidedStores()
    ? commonSettings['Stores:LinksUrl']
    : (AWS_ENDPOINT_URL_S3 ?? AWS_ENDPOINT_URL);
  return store !== undefined && new URL(link).href.startsWith(`${new URL(store).href.replace(/\/+$/, '')}/`);
}
