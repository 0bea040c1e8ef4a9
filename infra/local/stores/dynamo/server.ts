// The embedded store behind DynamoDB's HTTP protocol, for the processes of the local engine.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { StoreError } from '../../../../shared/embedded/errors.ts';
import { openStores, type StoresOptions } from '../../../../shared/embedded/stores.ts';
import type { Request } from '../../../../shared/embedded/tables/request.ts';
import type { TableStore } from '../../../../shared/embedded/tables/store.ts';
import type { Counts } from '../../../../shared/embedded/tables/strict.ts';
import { freeAbandonedWork } from './abandoned-work.ts';

// DynamoDB deletes expired items within days; minutes are enough to see it happen.
const COLLECT_EVERY_MS = 5 * 60 * 1000;

export type Dynamo = {
  endpoint: string;
  /** Counted only in strict mode. */
  counts: Counts;
  collectExpired(): Promise<number>;
  stop(): Promise<void>;
};

/** Starts DynamoDB. Only this machine can connect. */
export async function startDynamo(options: StoresOptions = {}): Promise<Dynamo> {
  const { tables: store, close } = openStores(options);
  if (options.folder) await freeAbandonedWork(store);
  const server = createServer((request, response) => void serve(store, request, response));
  const port = await listen(server);

  let collecting: Promise<unknown> = Promise.resolve();
  const timer = setInterval(() => {
    collecting = store
      .collectExpired()
      .catch((error) => console.error(`DynamoDB: expired items stay: ${error}`));
  }, COLLECT_EVERY_MS);
  timer.unref();

  return {
    endpoint: `http://127.0.0.1:${port}`,
    counts: store.counts,
    collectExpired: store.collectExpired,
    async stop() {
      clearInterval(timer);
      await new Promise((resolve) => server.close(resolve));
      await collecting;
      close();
    },
  };
}

async function serve(store: TableStore, request: IncomingMessage, response: ServerResponse) {
  try {
    const body = await buffer(request);
    const operation = String(request.headers['x-amz-target']).split('.')[1] ?? '';
    answer(response, 200, await store.run(operation, parseBody(body.toString())));
  } catch (error) {
    if (error instanceof StoreError)
      return answer(response, 400, { ...error.more, __type: typeOf(error), message: error.message });
    console.error(error);
    answer(response, 500, { __type: typeOf({ name: 'InternalServerError' }), message: String(error) });
  }
}

const typeOf = ({ name }: { name: string }): string => `com.amazonaws.dynamodb.v20120810#${name}`;

function parseBody(text: string): Request {
  try {
    return JSON.parse(text);
  } catch {
    throw new StoreError('SerializationException', 'The request is not JSON.');
  }
}

function answer(response: ServerResponse, status: number, body: object) {
  const bytes = Buffer.from(JSON.stringify(body));
  response.writeHead(status, {
    'content-type': 'application/x-amz-json-1.0',
    'content-length': bytes.length,
  });
  response.end(bytes);
}

const listen = (server: Server) =>
  new Promise<number>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
  });
