// S3 and SQS on this machine: fauxqs. Options that it does not have are set on its web server: Fastify announces every
// new instance on a diagnostics channel.
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type FauxqsServer, startFauxqs } from 'fauxqs';
import { isDiskFull, reasonOf } from '../../../shared/command-line/reason.ts';
import { findObject, refuseByCondition } from './objects/conditions.ts';
import { bucketCors, type Head } from './objects/cors.ts';
import { bucketNotifications } from './objects/notifications.ts';
import { type S3Request, s3Error } from './objects/request.ts';

// The largest object of one PUT. S3 accepts 5 GB; fauxqs holds an object in memory.
const MAX_PUT_BYTES = 512 * 1024 * 1024;

type Hook = (request: { headers: { host?: string } }, reply: unknown, payload: unknown) => Promise<unknown>;
type S3Reply = {
  readonly statusCode: number;
  code(status: number): S3Reply;
  type(contentType: string): S3Reply;
  removeHeader(name: string): S3Reply;
  headers(given: Readonly<Record<string, string>>): S3Reply;
  send(body?: string): unknown;
};
type Route = {
  bodyLimit?: number;
  readonly method: string | string[];
  readonly url: string;
  readonly handler: (request: object, reply: object) => Promise<unknown>;
};
// With a callback the next step follows at once: no other request comes between.
type Next = (error: null, payload: unknown) => void;
type Fastify = {
  listen(options: { port: number; host: string }): Promise<string>;
  addHook(name: 'onRoute', hook: (route: Route) => void): void;
  addHook(name: 'onRequest', hook: (request: Head, reply: S3Reply, next: () => void) => void): void;
  addHook(name: 'preSerialization', hook: Hook): void;
  addHook(name: 'preHandler', hook: (request: S3Request, reply: S3Reply, next: () => void) => void): void;
  addHook(
    name: 'onSend',
    hook: (request: S3Request & Head, reply: S3Reply, payload: unknown, next: Next) => void,
  ): void;
  addHook(name: 'onError', hook: (request: unknown, reply: unknown, error: Error) => Promise<void>): void;
};

export type ObjectsAndQueues = {
  endpoint: string;
  /** A line for each part of the data that cannot be read. */
  damage: readonly string[];
  stop(): Promise<void>;
};

/** Starts S3 and SQS. Without a folder the data is in memory. Only this machine can connect. */
export async function startObjectsAndQueues({
  dataDir,
}: {
  dataDir?: string;
} = {}): Promise<ObjectsAndQueues> {
  const damage = dataDir ? repairAtStart(join(dataDir, DATABASE)) : [];
  const server = await startAdapted(dataDir);
  if (dataDir) acceptEarlyReturns(join(dataDir, DATABASE));
  return { endpoint: `http://127.0.0.1:${server.port}`, damage, stop: () => server.stop() };
}

async function startAdapted(dataDir: string | undefined): Promise<FauxqsServer> {
  let server: FauxqsServer | undefined;
  const notifications = bucketNotifications(() => {
    if (!server) throw new Error('S3 and SQS have not started.');
    return server;
  });
  const onInstance = (message: unknown) => adapt((message as { fastify: Fastify }).fastify, notifications);
  // fauxqs makes its instance before it waits for anything, and that of another start is not ours.
  subscribe('fastify.initialization', onInstance);
  const starting = startFauxqs({ port: 0, logger: false, dataDir });
  unsubscribe('fastify.initialization', onInstance);
  server = await starting;
  return server;
}

// As fauxqs names it.
const DATABASE = 'fauxqs.db';
const MAX_PROBLEMS = 3;

/**
 * Looks for damage, and makes the messages visible that the previous engine was working on: its workers ended with its
 * process, as the lock of the data folder proves. Each keeps the count of its receives, so that a message that ends
 * every engine becomes a dead letter.
 */
function repairAtStart(path: string): string[] {
  if (!existsSync(path)) return [];
  const database = new DatabaseSync(path);
  try {
    const problems = database.prepare(`PRAGMA quick_check(${MAX_PROBLEMS})`).all();
    database.exec(`UPDATE sqs_messages
      SET receipt_handle = NULL, visibility_deadline = NULL
      WHERE receipt_handle IS NOT NULL`);
    return problems
      .map(({ quick_check: problem }) => String(problem))
      .filter((problem) => problem !== 'ok')
      .map((problem) => `The data of S3 and SQS in ${path}: ${problem.replaceAll('\n', ' ')}.`);
  } finally {
    database.close();
  }
}

const COUNT_COLUMN = 'approximate_receive_count INTEGER';

// A message that is made visible early (ChangeMessageVisibility with 0) is stored by fauxqs without its receive count,
// which its own table refuses: the message would be out of reach until the next start. The table accepts it here, and
// keeps the count that the message had.
function acceptEarlyReturns(path: string): void {
  const database = new DatabaseSync(path);
  try {
    const found = database.prepare("SELECT sql FROM sqlite_master WHERE name = 'sqs_messages'").get();
    const schema = String(found?.sql);
    const strict = `${COUNT_COLUMN} NOT NULL`;
    if (!schema.includes(strict)) return;
    database.exec(`BEGIN;
      ALTER TABLE sqs_messages RENAME TO strict_messages;
      ${schema.replace(strict, COUNT_COLUMN)};
      INSERT INTO sqs_messages SELECT * FROM strict_messages;
      DROP TABLE strict_messages;
      CREATE TRIGGER keep_receive_count AFTER UPDATE ON sqs_messages WHEN NEW.approximate_receive_count IS NULL
      BEGIN
        UPDATE sqs_messages SET approximate_receive_count = OLD.approximate_receive_count
        WHERE message_id = NEW.message_id;
      END;
      COMMIT;`);
  } finally {
    database.close();
  }
}

function adapt(fastify: Fastify, notifications: ReturnType<typeof bucketNotifications>) {
  const listen = fastify.listen.bind(fastify);
  fastify.listen = (options) => listen({ ...options, host: '127.0.0.1' });
  let head: Route['handler'] | undefined;
  fastify.addHook('onRoute', (route) => {
    route.bodyLimit = MAX_PUT_BYTES;
    if (route.method === 'HEAD' && route.url === '/:bucket/*') head = route.handler;
  });
  const find = (bucket: string, key: string) => (head ? findObject(head, bucket, key) : undefined);
  fastify.addHook('onError', async (_request, _reply, error) => reportFullDisk(error));
  const cors = bucketCors();
  fastify.addHook('onRequest', (request, reply, next) => {
    const answer = cors.preflight(request);
    if (!answer) return next();
    reply.code(answer.status).headers(answer.headers).type('application/xml').send(answer.body);
  });
  fastify.addHook('preHandler', (request, reply, next) => {
    const answer =
      refuseByCondition(request, find) ?? notifications.configure(request) ?? cors.configure(request);
    if (!answer) return next();
    reply.code(answer.status).type('application/xml').send(answer.body);
  });
  fastify.addHook('onSend', (request, reply, payload, next) => {
    reply.headers(cors.headersFor(request));
    try {
      if (reply.statusCode < 400) notifications.notify(request, find);
    } catch (error) {
      // The object is stored. Its writer hears that the write failed, and tries again.
      reportFullDisk(error);
      const { status, body } = s3Error(
        500,
        'InternalError',
        `The queue was not notified: ${reasonOf(error)}`,
      );
      reply.code(status).type('application/xml').removeHeader('etag');
      return next(null, body);
    }
    next(null, payload);
  });
  fastify.addHook('preSerialization', async (request, _reply, payload) =>
    withPort(payload, request.headers.host),
  );
}

function reportFullDisk(error: unknown): void {
  if (isDiskFull(error)) console.error('S3 and SQS: a write failed, because the disk is full. Make room.');
}

// A queue keeps the URL of its creation, and the port changes with each start.
function withPort(payload: unknown, host = ''): unknown {
  if (typeof payload !== 'object' || payload === null) return payload;
  const here = (url: string) => url.replace(/^http:\/\/[^/]+/, `http://${host}`);
  const { QueueUrl, QueueUrls } = payload as { QueueUrl?: string; QueueUrls?: string[] };
  return {
    ...payload,
    ...(QueueUrl ? { QueueUrl: here(QueueUrl) } : {}),
    ...(QueueUrls ? { QueueUrls: QueueUrls.map(here) } : {}),
  };
}
