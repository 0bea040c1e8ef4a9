import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

export type Credentials = { readonly accessKeyId: string; readonly secretAccessKey: string };

const AUTHORIZATION =
  /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8}\/[^/]+\/s3\/aws4_request), SignedHeaders=([^,]+), Signature=([0-9a-f]{64})$/;

const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();

/** The code that S3 refuses a request with, or undefined where its key and signature (version 4) are right. */
export function refusalOf(
  request: IncomingMessage,
  { accessKeyId, secretAccessKey }: Credentials,
): string | undefined {
  const [, given, scope = '', signed = '', signature = ''] =
    AUTHORIZATION.exec(request.headers.authorization ?? '') ?? [];
  if (given === undefined) return 'AccessDenied';
  if (given !== accessKeyId) return 'InvalidAccessKeyId';
  const url = new URL(request.url ?? '', 'http://share');
  const query = [...url.searchParams]
    .map(([name, value]) => `${encode(name)}=${encode(value)}`)
    .toSorted()
    .join('&');
  const headers = signed.split(';').map((name) => `${name}:${String(request.headers[name]).trim()}\n`);
  const canonical = [
    request.method,
    url.pathname,
    query,
    headers.join(''),
    signed,
    request.headers['x-amz-content-sha256'],
  ].join('\n');
  const text = [
    'AWS4-HMAC-SHA256',
    request.headers['x-amz-date'],
    scope,
    createHash('sha256').update(canonical).digest('hex'),
  ].join('\n');
  const key = scope.split('/').reduce<string | Buffer>(hmac, `AWS4${secretAccessKey}`);
  const isRight = timingSafeEqual(hmac(key, text), Buffer.from(signature, 'hex'));
  return isRight ? undefined : 'SignatureDoesNotMatch';
}

const encode = (text: string): string =>
  encodeURIComponent(text).replaceAll(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);
