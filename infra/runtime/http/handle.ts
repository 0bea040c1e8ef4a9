import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { withDeadline } from '../../../shared/async/deadline.ts';
import { SEAL_SVG } from '../../../shared/brand/icon.ts';
import { drainBody } from '../../../shared/http/body/drain.ts';
import type { HostResult } from '../../../shared/http/response/reply.ts';
import { answerDocs } from '../../site/answer.ts';
import { contextFor, type Handler } from '../functions/invoke.ts';
import type { Client } from './client.ts';
import { type Target, targetOf, toEvent } from './event.ts';
import { BATCH_METRICS_PATH, METRICS_PATH, withAllMetrics } from './metrics.ts';
import { refuseAsGateway } from './refuse-as-gateway.ts';
import type { Match } from './router.ts';
import { sendPlain, sendResult } from './send.ts';

/** A function answers in time by itself. One that does not after this is answered for. */
const OVERDUE_MS = 2_000;
/** A body that arrives too slowly: its caller would hear the answer only at the end of the body. */
const TOO_SLOW = 408;

/** Answers a request for a path that is no function's, and tells whether it was one. */
export type AnswerOwnPath = (
  request: IncomingMessage,
  response: ServerResponse,
  target: Target,
) => Promise<boolean>;

export type HandlerParts = {
  readonly stage: string;
  readonly find: (method: string, path: string) => Match | undefined;
  readonly load: (key: string) => Promise<Handler>;
  readonly clientOf: (request: IncomingMessage) => Client;
  readonly report: (message: string, details: Readonly<Record<string, unknown>>) => void;
  readonly answerOwnPath?: AnswerOwnPath | undefined;
  /** The path whose function has the home page. */
  readonly home?: string | undefined;
};

/** Answers a request by the function of its route, by the stores, or by itself. Never fails. */
export function createHandler(
  parts: HandlerParts,
): (request: IncomingMessage, response: ServerResponse) => Promise<void> {
  return async (request, response) => {
    const target = targetOf(request);
    try {
      if (!target) await refuse(request, response, '/', 400);
      else if (!(await answerOwnPaths(request, response, target, parts)))
        await answerByFunction(request, response, target, parts);
    } catch (error) {
      parts.report('request failed', { method: request.method, path: target?.path, error });
      if (response.headersSent) response.destroy();
      else await refuse(request, response, target?.path ?? '/', 500).catch(() => response.destroy());
    }
  };
}

async function answerOwnPaths(
  request: IncomingMessage,
  response: ServerResponse,
  target: Target,
  parts: HandlerParts,
): Promise<boolean> {
  if (await parts.answerOwnPath?.(request, response, target)) return true;
  if (request.method !== 'GET' && request.method !== 'HEAD') return false;
  const { path, query } = target;
  switch (path) {
    case '/':
      if (parts.home === undefined) return false;
      await answerByFunction(request, response, { ...target, path: parts.home }, parts);
      return true;
    // The batch service says who may read metrics. Those of the others are added to its answer.
    case METRICS_PATH:
      await answerByFunction(request, response, { ...target, path: BATCH_METRICS_PATH }, parts, (result) =>
        result.statusCode === 200 ? { ...result, body: withAllMetrics(result.body) } : result,
      );
      return true;
    // Browsers ask for it beside every answer that is no page.
    case '/favicon.ico':
      await sendPlain(response, {
        status: 200,
        headers: { 'content-type': 'image/svg+xml', 'cache-control': 'public, max-age=86400' },
        body: SEAL_SVG,
      });
      return true;
    default: {
      const { 'accept-language': accepted } = request.headers;
      const page = await answerDocs(path, new URLSearchParams(query), accepted);
      if (page) await sendPlain(response, page);
      return page !== undefined;
    }
  }
}

async function answerByFunction(
  request: IncomingMessage,
  response: ServerResponse,
  target: Target,
  { stage, find, load, clientOf }: HandlerParts,
  change: (result: HostResult) => HostResult = (result) => result,
): Promise<void> {
  const match = findRoute(find, request.method ?? 'GET', target.path);
  if (match === 'malformed') return refuse(request, response, target.path, 400);
  if (!match) return refuse(request, response, target.path, 404);

  const { key, timeoutMs } = match.route;
  const body = bodyOf(request);
  const hangUp = hangUpOf(response);
  const event = toEvent(request, { target, match, client: clientOf(request), stage, body, hangUp });
  let result: HostResult | undefined;
  try {
    const handler = await load(key);
    result = (await withDeadline(
      timeoutMs + OVERDUE_MS,
      () => handler(event, contextFor(key, timeoutMs)),
      () => new Error(`The function ${key} has not answered within ${timeoutMs / 1000} s.`),
    )) as HostResult | undefined;
  } finally {
    body?.destroy();
  }
  if (!result) throw new Error(`The function ${key} gave no answer.`);
  if (body && (result.statusCode === TOO_SLOW || !(await drainBody(request))))
    response.setHeader('connection', 'close');
  await sendResult(response, change(result));
}

function findRoute(
  find: HandlerParts['find'],
  method: string,
  path: string,
): Match | undefined | 'malformed' {
  try {
    return find(method, path);
  } catch (error) {
    if (error instanceof URIError) return 'malformed';
    throw error;
  }
}

/** The body as a stream that a function may destroy: with the request itself it would destroy the connection. */
function bodyOf(request: IncomingMessage): Readable | undefined {
  const { 'content-length': length, 'transfer-encoding': encoding } = request.headers;
  if (encoding === undefined && !(Number(length) > 0)) return undefined;
  const take = (chunk: Buffer): void => {
    if (!body.push(chunk)) request.pause();
  };
  const body = new Readable({
    read: () => void request.resume(),
    destroy(error, done) {
      // What the function leaves unread waits for drainBody.
      request.off('data', take).pause();
      done(error);
    },
  });
  request.on('data', take);
  request.once('end', () => body.push(null)).once('error', (error) => body.destroy(error));
  return body.on('error', () => undefined);
}

/** A signal that aborts when the caller hangs up. */
function hangUpOf(response: ServerResponse): AbortSignal {
  const caller = new AbortController();
  response.once('close', () => {
    if (!response.writableFinished) caller.abort();
  });
  return caller.signal;
}

async function refuse(
  request: IncomingMessage,
  response: ServerResponse,
  path: string,
  status: number,
): Promise<void> {
  const asked = Object.fromEntries(
    Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
  );
  const refused = await refuseAsGateway(request.method ?? 'GET', path, status, asked);
  if (!(await drainBody(request))) response.setHeader('connection', 'close');
  await sendPlain(response, refused);
}
