// S3 and SQS on this machine: fauxqs. What it does not let us choose is set on its web server as that is
// made: Fastify tells of every new instance on a diagnostics channel.
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { startFauxqs } from 'fauxqs';

// The largest object that one PUT may carry. S3 takes 5 GB; here an object is held in memory whole.
const MAX_PUT_BYTES = 512 * 1024 * 1024;

type Hook = (request: { headers: { host?: string } }, reply: unknown, payload: unknown) => Promise<unknown>;
type Fastify = {
  listen(options: { port: number; host: string }): Promise<string>;
  addHook(name: 'onRoute', hook: (route: { bodyLimit?: number }) => void): void;
  addHook(name: 'preSerialization', hook: Hook): void;
};

export type ObjectsAndQueues = { endpoint: string; stop(): Promise<void> };

/** Without a folder everything is kept in memory. Only this machine can connect. */
export async function startObjectsAndQueues({
  dataDir,
}: {
  dataDir?: string;
} = {}): Promise<ObjectsAndQueues> {
  subscribe('fastify.initialization', adapt);
  try {
    const server = await startFauxqs({ port: 0, logger: false, dataDir });
    return { endpoint: `http://127.0.0.1:${server.port}`, stop: () => server.stop() };
  } finally {
    unsubscribe('fastify.initialization', adapt);
  }
}

function adapt(message: unknown) {
  const { fastify } = message as { fastify: Fastify };
  const listen = fastify.listen.bind(fastify);
  fastify.listen = (options) => listen({ ...options, host: '127.0.0.1' });
  fastify.addHook('onRoute', (route) => {
    route.bodyLimit = MAX_PUT_BYTES;
  });
  fastify.addHook('preSerialization', async (request, _reply, payload) =>
    withPort(payload, request.headers.host),
  );
}

// A queue keeps the URL it was made with, and the port is another one after each start.
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
