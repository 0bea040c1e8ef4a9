// DynamoDB on this machine: dynalite's operations behind our own server, with transactions and time to live added.
import { mkdirSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { Counts } from './counts.ts';
import { type Body, createStore, type Store } from './dynalite.ts';
import { isDynamoError, notJson, unknownOperation } from './errors.ts';
import { type AwsOptions, createOperations, type Operations } from './operations.ts';
import { abandonedWork, findDamage, stopAtFirstFailure } from './recovery.ts';

// DynamoDB deletes expired items within days; minutes are enough to see it happen.
const COLLECT_EVERY_MS = 5 * 60 * 1000;

export type Dynamo = {
  endpoint: string;
  /** A line for each part of the data that cannot be read. */
  damage: readonly string[];
  /** Counted only where it behaves like DynamoDB under load. */
  counts: Counts;
  collectExpired(): Promise<number>;
  stop(): Promise<void>;
};

export type DynamoOptions = {
  /** Without one the data is in memory. */
  path?: string | undefined;
  now?: () => number;
  /** Behaves like DynamoDB under load: cancels transactions that meet, and throttles partition keys. */
  aws?: AwsOptions | undefined;
};

/** Starts DynamoDB. Only this machine can connect. */
export async function startDynamo(options: DynamoOptions = {}): Promise<Dynamo> {
  const store = await openStore(options.path);
  const now = options.now ?? Date.now;
  const { operations, counts, collectExpired } = createOperations(store, now, options.aws);
  const damage = options.path ? await repairAtStart(store, operations, options.path) : [];
  const server = createServer((request, response) => void serve(operations, request, response));
  const port = await listen(server);

  let collecting: Promise<unknown> = Promise.resolve();
  const timer = setInterval(() => {
    collecting = collectExpired().catch((error) => console.error(`DynamoDB: expired items stay: ${error}`));
  }, COLLECT_EVERY_MS);
  timer.unref();

  return {
    endpoint: `http://127.0.0.1:${port}`,
    damage,
    counts,
    collectExpired,
    async stop() {
      clearInterval(timer);
      await new Promise((resolve) => server.close(resolve));
      await collecting;
      await store.db.close();
    },
  };
}

async function repairAtStart(store: Store, operations: Operations, path: string): Promise<string[]> {
  const abandoned = abandonedWork();
  const damage = await findDamage(store, path, abandoned.see);
  await abandoned.free(operations);
  return damage.map((line) => `DynamoDB's data in ${path}: ${line}.`);
}

async function openStore(path?: string): Promise<Store> {
  if (path) mkdirSync(path, { recursive: true });
  const store = createStore(path);
  try {
    await store.db.open();
    stopAtFirstFailure(store);
    return store;
  } catch (error) {
    const { code, message } = ((error as Error).cause ?? error) as { code?: string; message: string };
    const why = code === 'LEVEL_LOCKED' ? 'another process is using it; stop that one first' : message;
    throw new Error(`DynamoDB's data in ${path} cannot be opened: ${why}`, { cause: error });
  }
}

async function serve(operations: Operations, request: IncomingMessage, response: ServerResponse) {
  try {
    const body = await buffer(request);
    const name = String(request.headers['x-amz-target']).split('.')[1] ?? '';
    const operation = Object.hasOwn(operations, name) ? operations[name] : undefined;
    if (!operation) throw unknownOperation();
    answer(response, 200, await operation(parseBody(body.toString())));
  } catch (error) {
    if (isDynamoError(error)) return answer(response, error.statusCode, error.body);
    console.error(error);
    answer(response, 500, {
      __type: 'com.amazonaws.dynamodb.v20120810#InternalServerError',
      message: String(error),
    });
  }
}

function parseBody(text: string): Body {
  try {
    return JSON.parse(text);
  } catch {
    throw notJson();
  }
}

function answer(response: ServerResponse, status: number, body: Body) {
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
