// The embedded stores behind the HTTP protocols of DynamoDB, S3 and SQS: stores of somebody else, for the tests of shares,
// of endpoints and of networks that are cut.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { StoreError } from '../../shared/embedded/errors.ts';
import { openStores, type Stores, type StoresOptions } from '../../shared/embedded/stores.ts';

type Fields = Record<string, unknown>;
type Run = (command: string, input: Fields) => Promise<Fields>;
type Call = {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly query: URLSearchParams;
  readonly at: { readonly Bucket: string; readonly Key: string };
  readonly run: Run;
};

/** Starts AWS on a free port of this machine. Without a folder the data is in memory. */
export async function startAwsServer(options: StoresOptions = {}) {
  const stores = openStores(options);
  const server = createServer((request, response) => void serve(stores, request, response));
  const port = await listen(server);
  return {
    endpoint: `http://127.0.0.1:${port}`,
    stores,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      stores.close();
    },
  };
}

async function serve(stores: Stores, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const [, service, command] = /^(\w+)\.(\w+)$/.exec(String(request.headers['x-amz-target'])) ?? [];
  try {
    if (service && command) return await answerJson(stores, { service, command }, request, response);
    const { pathname, searchParams: query } = new URL(request.url ?? '/', 'http://s3');
    const [, bucket = '', key = ''] = /^\/([^/]*)\/?(.*)$/.exec(pathname) ?? [];
    const at = { Bucket: decodeURIComponent(bucket), Key: decodeURIComponent(key) };
    const call: Call = { request, response, query, at, run: stores.objects.run as unknown as Run };
    await (at.Key === '' ? ofBucket(call) : ofObject(call));
  } catch (error) {
    if (response.headersSent) return void response.destroy();
    const failure = error instanceof StoreError ? error : { ...broken, message: String(error), more: {} };
    const { name, message, status, more } = failure;
    if (service) return answer(response, status, JSON.stringify({ ...more, __type: `aws#${name}`, message }));
    answer(response, status, request.method === 'HEAD' ? '' : xml('Error', { Code: name, Message: message }));
  }
}

/** DynamoDB and SQS: the command is in a header, its input and its output are JSON. */
async function answerJson(
  { tables, queues }: Stores,
  { service, command }: { service: string; command: string },
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const input = JSON.parse(await text(request)) as Fields;
  const output =
    service === 'AmazonSQS' ? await queues.run(command, input) : await tables.run(command, input);
  // Binary values are base64 in JSON.
  const body = JSON.stringify(output, (name, value) =>
    (name === 'B' || name === 'BS') && typeof value === 'object' ? inBase64(value) : value,
  );
  answer(response, 200, body);
}

// A Buffer is { type, data } by the time that it is asked for.
const inBase64 = (value: { data?: number[] } | { data: number[] }[]): unknown => {
  if (Array.isArray(value)) return value.map(inBase64);
  return value.data ? Buffer.from(value.data).toString('base64') : value;
};

const broken = { name: 'InternalError', status: 500 };

async function ofBucket({ request, response, query, at: { Bucket }, run }: Call): Promise<void> {
  const { method } = request;
  if (query.has('cors')) {
    if (method === 'DELETE') await run('DeleteBucketCors', { Bucket });
    else await run('PutBucketCors', { Bucket, CORSConfiguration: corsIn(await text(request)) });
    answer(response, method === 'DELETE' ? 204 : 200, '');
  } else if (method === 'PUT' && query.has('notification')) {
    const NotificationConfiguration = notificationsIn(await text(request));
    await run('PutBucketNotificationConfiguration', { Bucket, NotificationConfiguration });
    answer(response, 200, '');
  } else if (method === 'PUT') answer(response, 200, '', await run('CreateBucket', { Bucket }));
  else if (method === 'HEAD') answer(response, 200, '', await run('HeadBucket', { Bucket }));
  else if (method === 'POST' && query.has('delete')) {
    const body = await text(request);
    const Objects = all('Object', body).map((object) => ({
      Key: unescaped(one('Key', object) ?? ''),
      ...(one('ETag', object) !== undefined && { ETag: unescaped(one('ETag', object) ?? '') }),
    }));
    const found = await run('DeleteObjects', { Bucket, Delete: { Objects } });
    answer(response, 200, xml('DeleteResult', { Deleted: found.Deleted, Error: found.Errors }));
  } else if (method === 'GET') {
    const page = await run('ListObjectsV2', {
      Bucket,
      Prefix: query.get('prefix') ?? undefined,
      MaxKeys: Number(query.get('max-keys') ?? 1_000),
      ContinuationToken: query.get('continuation-token') ?? undefined,
      StartAfter: query.get('start-after') ?? undefined,
    });
    const { $metadata: _, ...listed } = page;
    answer(response, 200, xml('ListBucketResult', listed));
  } else throw new StoreError('MethodNotAllowed', `${method} of a bucket is not served here.`, {}, 405);
}

const corsIn = (body: string): Fields => ({
  CORSRules: all('CORSRule', body).map((rule) => ({
    AllowedOrigins: all('AllowedOrigin', rule).map(unescaped),
    AllowedMethods: all('AllowedMethod', rule),
    AllowedHeaders: all('AllowedHeader', rule).map(unescaped),
    ExposeHeaders: all('ExposeHeader', rule).map(unescaped),
    ...(one('MaxAgeSeconds', rule) !== undefined && { MaxAgeSeconds: Number(one('MaxAgeSeconds', rule)) }),
  })),
});

const notificationsIn = (body: string): Fields => ({
  QueueConfigurations: all('QueueConfiguration', body).map((queue) => ({
    QueueArn: one('Queue', queue),
    Events: all('Event', queue),
    Filter: {
      Key: {
        FilterRules: all('FilterRule', queue).map((rule) => ({
          Name: one('Name', rule),
          Value: unescaped(one('Value', rule) ?? ''),
        })),
      },
    },
  })),
});

async function ofObject(call: Call): Promise<void> {
  const { request, response, query, at, run } = call;
  const { method, headers } = request;
  const UploadId = query.get('uploadId') ?? undefined;
  if (method === 'GET' || method === 'HEAD') await read(call);
  else if (method === 'DELETE' && UploadId)
    answer(response, 204, '', await run('AbortMultipartUpload', { ...at, UploadId }));
  else if (method === 'DELETE')
    answer(response, 204, '', await run('DeleteObject', { ...at, IfMatch: headers['if-match'] }));
  else if (method === 'POST' && query.has('uploads')) {
    const made = await run('CreateMultipartUpload', { ...at, ContentType: headers['content-type'] });
    answer(response, 200, xml('InitiateMultipartUploadResult', { ...at, UploadId: made.UploadId }));
  } else if (method === 'POST' && UploadId) {
    const Parts = all('Part', await text(request)).map((part) => ({
      PartNumber: Number(one('PartNumber', part)),
      ETag: unescaped(one('ETag', part) ?? ''),
    }));
    const done = await run('CompleteMultipartUpload', {
      ...at,
      UploadId,
      MultipartUpload: { Parts },
      IfNoneMatch: headers['if-none-match'],
    });
    answer(response, 200, xml('CompleteMultipartUploadResult', { ...at, ETag: done.ETag }));
  } else if (method === 'PUT' && UploadId) {
    const PartNumber = Number(query.get('partNumber'));
    const stored = await run('UploadPart', { ...at, UploadId, PartNumber, Body: request });
    answer(response, 200, '', stored);
  } else if (method === 'PUT' && headers['x-amz-copy-source'] !== undefined) {
    const copied = await run('CopyObject', {
      ...at,
      CopySource: String(headers['x-amz-copy-source']),
      CopySourceIfMatch: headers['x-amz-copy-source-if-match'],
    });
    answer(response, 200, xml('CopyObjectResult', copied.CopyObjectResult as Fields));
  } else if (method === 'PUT') {
    const stored = await run('PutObject', {
      ...at,
      Body: request,
      ContentType: headers['content-type'],
      IfNoneMatch: headers['if-none-match'],
    });
    answer(response, 200, '', stored);
  } else throw new StoreError('MethodNotAllowed', `${method} of an object is not served here.`, {}, 405);
}

async function read({ request, response, at, run }: Call): Promise<void> {
  const isHead = request.method === 'HEAD';
  const { range: Range } = request.headers;
  const found = await run(isHead ? 'HeadObject' : 'GetObject', { ...at, ...(!isHead && Range && { Range }) });
  response.writeHead(found.ContentRange ? 206 : 200, {
    etag: String(found.ETag),
    'content-length': String(found.ContentLength),
    'content-type': String(found.ContentType ?? 'binary/octet-stream'),
    'last-modified': (found.LastModified as Date).toUTCString(),
    ...(found.ContentRange ? { 'content-range': String(found.ContentRange) } : {}),
  });
  if (isHead) response.end();
  else await pipeline(found.Body as Readable, response);
}

function answer(response: ServerResponse, status: number, body: string, { ETag }: Fields = {}): void {
  response.writeHead(status, {
    'content-type': 'application/xml',
    'content-length': Buffer.byteLength(body),
    ...(ETag ? { etag: String(ETag) } : {}),
  });
  response.end(body);
}

const xml = (name: string, content: Fields): string =>
  `<?xml version="1.0" encoding="UTF-8"?>${element(name, content)}`;

function element(name: string, content: unknown): string {
  if (content === undefined || content === null) return '';
  if (Array.isArray(content)) return content.map((each) => element(name, each)).join('');
  if (content instanceof Date) return element(name, content.toISOString());
  const inner =
    typeof content === 'object'
      ? Object.entries(content)
          .map(([child, value]) => element(child, value))
          .join('')
      : escaped(String(content));
  return `<${name}>${inner}</${name}>`;
}

const escaped = (of: string): string =>
  of.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
const unescaped = (of: string): string =>
  of
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&apos;', "'")
    .replaceAll(/&#x([0-9a-fA-F]+);/g, (_, code) => String.fromCodePoint(Number.parseInt(code, 16)))
    .replaceAll('&amp;', '&');

const all = (name: string, within: string): string[] =>
  [...within.matchAll(new RegExp(`<${name}>([\\s\\S]*?)</${name}>`, 'g'))].map(([, inner = '']) => inner);
const one = (name: string, within: string): string | undefined => all(name, within)[0];

const listen = (server: Server) =>
  new Promise<number>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
  });
