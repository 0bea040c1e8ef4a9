import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import {
  createServer,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type ServerResponse,
  request as send,
} from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3';
import { startAwsServer } from '../../../servers/aws-server.ts';
import { type Credentials, refusalOf } from './s3-signature.ts';

// An S3 server in a process of its own, behind a proxy that checks the key of every request and misbehaves as it is told.

export type ShareProcessOptions = {
  readonly credentials: Credentials;
  readonly bucket: string;
  readonly port: number;
  readonly dataDir: string;
  readonly tls?: { readonly key: string; readonly cert: string } | undefined;
};

/** What the proxy does to the requests of a method and path. */
export type Fault = {
  readonly method?: string;
  /** A regular expression for the path, bucket included. */
  readonly path?: string;
  /** Lets so many through first. */
  readonly skip?: number;
  /** For so many; all by default. */
  readonly times?: number;
  readonly does:
    | { readonly answer: number; readonly code: string }
    | 'hang'
    | 'close'
    | 'truncate'
    | 'slow'
    | 'stall'
    | 'other-tag'
    | 'one-tag'
    | 'die'
    | 'die-after';
};

const { credentials, bucket, port, dataDir, tls } = JSON.parse(process.argv[2] ?? '') as ShareProcessOptions;
const { endpoint } = await startAwsServer({ folder: dataDir });
const client = new S3Client({ endpoint, region: 'us-east-1', credentials, forcePathStyle: true });
await client.send(new CreateBucketCommand({ Bucket: bucket })).catch(() => undefined);
client.destroy();

let faults: { fault: Fault; seen: number }[] = [];
const requests: string[] = [];

function faultOf({ method, url = '' }: IncomingMessage): Fault['does'] | undefined {
  const path = decodeURIComponent(url.split('?')[0] ?? '');
  for (const each of faults) {
    const { fault } = each;
    if (fault.method !== undefined && fault.method !== method) continue;
    if (fault.path !== undefined && !new RegExp(fault.path).test(path)) continue;
    each.seen += 1;
    const { skip = 0, times = Number.POSITIVE_INFINITY } = fault;
    if (each.seen > skip && each.seen <= skip + times) return fault.does;
  }
  return undefined;
}

function refuse(response: ServerResponse, status: number, code: string): void {
  response.writeHead(status, { 'content-type': 'application/xml' });
  response.end(
    `<?xml version="1.0" encoding="UTF-8"?><Error><Code>${code}</Code><Message>${code}</Message></Error>`,
  );
}

type Answer = {
  readonly status: number;
  readonly headers: OutgoingHttpHeaders;
  readonly body: Buffer;
};

function forward(request: IncomingMessage): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const { host } = new URL(endpoint);
    const { method, url, headers } = request;
    const onward = send(`${endpoint}${url}`, { method, headers: { ...headers, host } }, async (answer) => {
      const body = Buffer.concat(await answer.toArray());
      resolve({ status: answer.statusCode ?? 500, headers: answer.headers, body });
    });
    onward.on('error', reject);
    request.pipe(onward);
  });
}

function withTag({ status, headers, body }: Answer, tag: () => string): Answer {
  const { 'content-length': length, ...rest } = headers;
  const text = String(headers['content-type'] ?? '').includes('xml')
    ? Buffer.from(body.toString('utf8').replaceAll(/<ETag>[^<]*<\/ETag>/g, () => `<ETag>${tag()}</ETag>`))
    : body;
  const isList = text !== body;
  return {
    status,
    headers: {
      ...rest,
      ...(length !== undefined && { 'content-length': isList ? text.length : length }),
      ...(headers.etag !== undefined && { etag: tag() }),
    },
    body: text,
  };
}

const write = (response: ServerResponse, { status, headers, body }: Answer): ServerResponse => {
  response.writeHead(status, headers);
  return response.end(body);
};

async function dribble(response: ServerResponse, { status, headers, body }: Answer): Promise<void> {
  response.writeHead(status, headers);
  const step = Math.ceil(body.length / 5) || 1;
  for (let at = 0; at < body.length; at += step) {
    response.write(body.subarray(at, at + step));
    await new Promise((next) => setTimeout(next, 10));
  }
  response.end();
}

async function handle(request: IncomingMessage, response: ServerResponse): Promise<unknown> {
  requests.push(`${request.method} ${decodeURIComponent((request.url ?? '').split('?')[0] ?? '')}`);
  const refusal = refusalOf(request, credentials);
  if (refusal !== undefined) return refuse(response, 403, refusal);
  const fault = faultOf(request);
  if (fault === 'hang') return undefined;
  if (fault === 'close') return request.socket.destroy();
  if (fault === 'die') process.exit(1);
  if (typeof fault === 'object') return refuse(response, fault.answer, fault.code);
  const answer = await forward(request);
  if (fault === 'die-after') process.exit(1);
  if (fault === 'slow') return dribble(response, answer);
  if (fault === 'other-tag')
    return write(
      response,
      withTag(answer, () => `"${randomUUID()}"`),
    );
  if (fault === 'one-tag')
    return write(
      response,
      withTag(answer, () => '"00000000000000000000000000000000"'),
    );
  if (fault === 'truncate' || fault === 'stall') {
    response.writeHead(answer.status, answer.headers);
    const half = answer.body.subarray(0, Math.floor(answer.body.length / 2));
    return response.write(half, () => fault === 'truncate' && response.destroy());
  }
  return write(response, answer);
}

const listener = (request: IncomingMessage, response: ServerResponse): void => {
  handle(request, response).catch(() => response.destroy());
};
const server = tls
  ? createTlsServer({ key: readFileSync(tls.key), cert: readFileSync(tls.cert) }, listener)
  : createServer(listener);
server.listen(port, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }));

process.on('message', (message: { readonly faults?: readonly Fault[] }) => {
  if (message.faults) faults = message.faults.map((fault) => ({ fault, seen: 0 }));
  process.send?.({ requests: requests.splice(0) });
});
process.on('disconnect', () => process.exit(0));
