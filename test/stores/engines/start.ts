import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { ListBucketsCommand, S3Client } from '@aws-sdk/client-s3';
import { ListQueuesCommand, SQSClient } from '@aws-sdk/client-sqs';
import type { Start } from '../../../infra/install/engines/install.ts';
import { ENGINES, markOf } from '../../../infra/install/engines/installed.mjs';
import { OWN_ENVIRONMENT } from '../../../infra/local/stores/endpoints.ts';

export type Service = 'DYNAMODB' | 'S3' | 'SQS';
export type Engine = {
  readonly name: string;
  readonly version: string;
  /** For processes to reach it by the SDK's own variables. */
  readonly env: Readonly<Record<string, string>>;
  readonly stop: () => Promise<void>;
};

// The first call loads a service, which takes a minute where others are at work.
const READY_WITHIN_MS = 180_000;
const ENDS_WITHIN_MS = 5_000;

/** Starts an engine on a port of its own, and waits until each of these services has answered. */
export async function startEngine(name: string, services: readonly Service[]): Promise<Engine> {
  const { version = '' } = ENGINES[name] ?? {};
  const { command, args, env }: Start = JSON.parse(readFileSync(markOf(name), 'utf8'));
  const port = await freePort();
  const at = (text: string): string => text.replaceAll('{port}', String(port));
  const folder = mkdtempSync(join(tmpdir(), `sinete-${name}-`));
  const log = join(folder, 'output');
  const out = openSync(log, 'w');
  const child = spawn(command, args.map(at), {
    cwd: folder,
    env: {
      ...process.env,
      ...Object.fromEntries(Object.entries(env).map(([key, value]) => [key, at(value)])),
      // Where LocalStack has its files.
      FILESYSTEM_ROOT: folder,
    },
    stdio: ['ignore', out, out],
  });
  const ended = once(child, 'exit');
  const kill = (): void => void child.kill();
  process.once('exit', kill);
  const stop = async (): Promise<void> => {
    child.kill();
    await Promise.race([ended, setTimeout(ENDS_WITHIN_MS)]);
    child.kill('SIGKILL');
    await ended;
    process.off('exit', kill);
    rmSync(folder, { recursive: true, force: true });
  };
  const endpoint = `http://127.0.0.1:${port}`;
  try {
    await Promise.race([
      ended.then(() => Promise.reject(new Error('It has ended.'))),
      Promise.all(services.map((service) => answers(service, endpoint))),
    ]);
  } catch (error) {
    const output = readFileSync(log, 'utf8').slice(-2_000);
    await stop();
    throw new Error(`${name} ${version} does not answer: ${(error as Error).message}\n${output}`);
  }
  const variables = services.map((service) => [`AWS_ENDPOINT_URL_${service}`, endpoint]);
  return { name, version, env: Object.fromEntries(variables), stop };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('There is no free port.');
  return address.port;
}

const { AWS_REGION: region, AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY } = OWN_ENVIRONMENT;

/** What a client of an engine has to know beside its address. */
export const ACCESS = {
  region,
  credentials: { accessKeyId: AWS_ACCESS_KEY_ID, secretAccessKey: AWS_SECRET_ACCESS_KEY },
};

const CALLS: Record<Service, (endpoint: string) => Promise<unknown>> = {
  DYNAMODB: (endpoint) => new DynamoDBClient({ ...ACCESS, endpoint }).send(new ListTablesCommand({})),
  S3: (endpoint) =>
    new S3Client({ ...ACCESS, endpoint, forcePathStyle: true }).send(new ListBucketsCommand({})),
  SQS: (endpoint) => new SQSClient({ ...ACCESS, endpoint }).send(new ListQueuesCommand({})),
};

async function answers(service: Service, endpoint: string): Promise<void> {
  const untilMs = Date.now() + READY_WITHIN_MS;
  for (;;) {
    try {
      await CALLS[service](endpoint);
      return;
    } catch (error) {
      if (Date.now() > untilMs) throw error;
      await setTimeout(200);
    }
  }
}
