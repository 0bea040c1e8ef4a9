import type { ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import type { HostResult } from '../../../shared/http/response/reply.ts';
import { isLocal } from '../../../shared/settings/names.ts';
import { collectBuffers } from './collect-buffers.ts';
import { shareBytes } from './share-bytes.ts';

/** A stream that gives nothing for so long is broken off. */
const STALLED_MS = 60_000;
/** How much of an answer is handed over at once: what its reader takes is known in steps of this size. */
const PIECE_BYTES = 65_536;

/** Sends the answer of a function. A stream that fails ends the connection: a caller never takes the answer for whole. */
export async function sendResult(response: ServerResponse, result: HostResult): Promise<void> {
  const { statusCode, bodyStream } = result;
  response.socket?.setTimeout(STALLED_MS);
  const headers = Object.fromEntries([
    ...Object.entries(result.headers ?? {}).map(([name, value]) => [name, String(value)]),
    ...Object.entries(result.multiValueHeaders ?? {}).map(([name, values]) => [name, values.map(String)]),
  ]);
  if (bodyStream) {
    response.writeHead(statusCode, headers);
    // The function logs why its source failed, and a caller that hangs up is no failure.
    await pipeline(bodyStream, collectBuffers, response).catch(() => undefined);
    return;
  }
  const body = wholeBodyOf(result);
  const isBodyless = response.req.method === 'HEAD' || statusCode === 204 || statusCode === 304;
  if (!isBodyless) headers['content-length'] = Buffer.byteLength(body);
  response.writeHead(statusCode, headers);
  // A short one goes in one piece with its headers.
  if (body.length <= PIECE_BYTES) response.end(body);
  else await pipeline(piecesOf(shareBytes(toBytes(body))), response).catch(() => undefined);
}

const wholeBodyOf = ({ body, bodyBytes, isBase64Encoded }: HostResult): string | Uint8Array =>
  bodyBytes ?? (isBase64Encoded ? Buffer.from(body, 'base64') : body);

const toBytes = (body: string | Uint8Array): Uint8Array =>
  typeof body === 'string' ? Buffer.from(body) : body;

function* piecesOf(bytes: Uint8Array): Iterable<Uint8Array> {
  for (let at = 0; at < bytes.length; at += PIECE_BYTES) yield bytes.subarray(at, at + PIECE_BYTES);
}

type Plain = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer;
};

// As functions answer on a deployed stage.
const HSTS = { 'strict-transport-security': 'max-age=31536000' };

/** Sends an answer that no function gave. */
export const sendPlain = (response: ServerResponse, { status, headers, body }: Plain): Promise<void> =>
  sendResult(response, {
    statusCode: status,
    headers: { ...(!isLocal() && HSTS), ...headers },
    body: '',
    bodyBytes: response.req.method === 'HEAD' ? Buffer.of() : toBytes(body),
  });

export const sendJson = (response: ServerResponse, status: number, value: object): Promise<void> =>
  sendPlain(response, {
    status,
    headers: { 'cache-control': 'no-store', 'content-type': 'application/json; charset=utf-8' },
    body: JSON.stringify(value),
  });
