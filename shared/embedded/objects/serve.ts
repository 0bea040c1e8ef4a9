// Answers links over HTTP.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { StoreError } from '../errors.ts';
import type { Request } from '../request.ts';
import type { Catalog } from './catalog.ts';
import { corsHeaders, preflightHeaders } from './cors.ts';
import { accessDenied, internalError, noSuchKey, notImplemented, wrongSignature } from './errors.ts';
import { placeOf, type SignedLinks } from './links.ts';

type Place = { readonly bucket: string; readonly key: string };
type Serving = {
  readonly catalog: Catalog;
  readonly links: SignedLinks;
  readonly run: (command: string, request: Request) => Promise<object>;
};
type Headers = Readonly<Record<string, string | number>>;
type Answer = { readonly status: number; readonly headers: Headers; readonly body?: Readable | string };

const INTERNAL_ERROR = 500;

// Anybody may have put the file. Its type is not to be guessed, and it is no page of this origin, with its scripts and
// its cookies, wherever it is opened.
const OF_STRANGERS = {
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; sandbox",
};

/** Answers a request to a link, whatever it is. Nothing is thrown; a failure of this side is answered by 500, and given. */
export const createHandle =
  (serving: Serving) =>
  async (request: IncomingMessage, response: ServerResponse): Promise<Error | undefined> => {
    let cors: Headers = {};
    try {
      const [path = '', query = ''] = (request.url ?? '').split(/\?(.*)/s);
      const place = placeOf(path);
      const rules = serving.catalog.findBucket(place?.bucket)?.cors ?? [];
      cors = corsHeaders(rules, request.headers.origin, request.method ?? '');
      const answer =
        request.method === 'OPTIONS'
          ? { status: 200, headers: consent(preflightHeaders(rules, request.headers)) }
          : await answerLink(serving, request, place, new URLSearchParams(query));
      await send(response, answer, cors);
    } catch (error) {
      const hasLeft = (request.destroyed && !request.complete) || response.destroyed;
      if (hasLeft || response.headersSent) response.destroy();
      else await send(response, refusal(error), cors).catch(() => response.destroy());
      const isRefusal = error instanceof StoreError && error.status < INTERNAL_ERROR;
      return hasLeft || isRefusal ? undefined : (error as Error);
    }
    return undefined;
  };

function consent(headers: Headers | undefined): Headers {
  if (!headers) throw new StoreError('AccessForbidden', 'CORSResponse: This is not allowed.', {}, 403);
  return headers;
}

async function answerLink(
  { links, run }: Serving,
  request: IncomingMessage,
  place: Place | undefined,
  parameters: URLSearchParams,
): Promise<Answer> {
  if (!place) throw noSuchKey();
  const { method, headers } = request;
  const target = { Bucket: place.bucket, Key: place.key };
  if (!parameters.has('signature')) throw accessDenied('Access Denied');
  if (method === 'PUT') {
    const { type, length } = links.verify('PUT', place, parameters);
    if (headers['content-type'] !== type || headers['content-length'] !== String(length))
      throw wrongSignature();
    const stored = await run('PutObject', {
      ...target,
      Body: request,
      ContentType: type,
      ContentLength: length,
    });
    return { status: 200, headers: { etag: (stored as { ETag: string }).ETag } };
  }
  if (method !== 'GET' && method !== 'HEAD') throw notImplemented(`A link does not take ${method}.`);
  const { disposition } = links.verify('GET', place, parameters);
  const found = (await run('GetObject', {
    ...target,
    ...(await rangeFor(run, target, headers)),
    ResponseContentDisposition: disposition,
  })) as Found;
  if (method === 'HEAD') found.Body.destroy();
  return {
    status: found.ContentRange === undefined ? 200 : 206,
    headers: headersOf(found),
    ...(method === 'GET' && { body: found.Body }),
  };
}

type Found = {
  readonly Body: Readable;
  readonly ContentLength: number;
  readonly ContentType: string;
  readonly ETag: string;
  readonly LastModified: Date;
  readonly ContentRange?: string;
  readonly ContentDisposition?: string;
};

// A download that is resumed: RFC 9110, 13.1.5. Where the object was replaced meanwhile, the whole of it is sent.
async function rangeFor(run: Serving['run'], target: Request, headers: IncomingMessage['headers']) {
  const { range: Range, 'if-range': condition } = headers;
  if (Range === undefined || condition === undefined) return { Range };
  const { ETag } = (await run('HeadObject', target)) as { ETag: string };
  return ETag === condition ? { Range, IfMatch: ETag } : {};
}

const headersOf = (found: Found): Headers => ({
  ...OF_STRANGERS,
  'accept-ranges': 'bytes',
  'content-length': found.ContentLength,
  'content-type': found.ContentType,
  etag: found.ETag,
  'last-modified': found.LastModified.toUTCString(),
  ...(found.ContentRange !== undefined && { 'content-range': found.ContentRange }),
  ...(found.ContentDisposition !== undefined && { 'content-disposition': found.ContentDisposition }),
});

function refusal(error: unknown): Answer {
  const { name, message, status } =
    error instanceof StoreError ? error : internalError('The request failed.');
  const text = message.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  return {
    status,
    headers: { 'content-type': 'application/xml' },
    body: `<?xml version="1.0" encoding="UTF-8"?><Error><Code>${name}</Code><Message>${text}</Message></Error>`,
  };
}

async function send(
  response: ServerResponse,
  { status, headers, body }: Answer,
  cors: Headers,
): Promise<void> {
  response.writeHead(status, { ...headers, ...cors });
  if (body === undefined || typeof body === 'string') response.end(body);
  else await pipeline(body, response);
}
