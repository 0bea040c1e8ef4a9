import type { ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import type { HostResult } from '../../../shared/http/response/reply.ts';
import { isLocal } from '../../../shared/settings/names.ts';
import { collectBuffers } from './collect-buffers.ts';

/** A caller that takes no byte of its answer for so long is cut off. */
const STALLED_MS = 60_000;

/** Sends the answer of a function. A stream that fails ends the connection: a caller never takes the answer for whole. */
export async function sendResult(response: ServerResponse, result: HostResult): Promise<void> {
  const { statusCode, bodyStream } = result;
  response.socket?.setTimeout(STALLED_MS);
  const headers = Object.fromEntries([
    ...Object.entries(result.headers ?? {}).map(([name, value]) => [name, String(value)]),
    ...Object.entries(result.multiValueHeaders ?? {}).map(([name, values]) => [name, values.map(String)]),
  ]);
  if (!bodyStream) {
    // A text goes in one piece with its headers.
    const body = result.isBase64Encoded ? Buffer.from(result.body, 'base64') : result.body;
    const isBodyless = response.req.method === 'HEAD' || statusCode === 204 || statusCode === 304;
    if (!isBodyless) headers['content-length'] = Buffer.byteLength(body);
    response.writeHead(statusCode, headers).end(body);
    return;
  }
  response.writeHead(statusCode, headers);
  // The function logs why its source failed, and a caller that hangs up is no failure.
  await pipeline(bodyStream, collectBuffers, response).catch(() => undefined);
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
    body: response.req.method === 'HEAD' ? '' : Buffer.from(body).toString('base64'),
    isBase64Encoded: true,
  });

export const sendJson = (response: ServerResponse, status: number, value: object): Promise<void> =>
  sendPlain(response, {
    status,
    headers: { 'cache-control': 'no-store', 'content-type': 'application/json; charset=utf-8' },
    body: JSON.stringify(value),
  });
