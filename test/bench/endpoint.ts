import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import autocannon from 'autocannon';
import { build } from 'esbuild';
import { startEmulators } from '../../infra/local/emulators.ts';
import { createDeclared, readDeclared } from '../../infra/local/resources.ts';
import { SANDBOX_KEY } from '../../infra/local/sandbox-data.ts';
import { seedSandbox } from '../../infra/local/seed.ts';
import { tableName } from '../../shared/settings/names.ts';
import { type Figure, median } from './figures.ts';

const FOLDER = '.local/bench';
const PORTS = { http: 3391, lambda: 3392 };
const SECONDS = 6;
const ROUNDS = 3;
const CONNECTIONS = 10;

const CONFIG = `service: sinete-bench
frameworkVersion: '4'
provider: { name: aws, runtime: nodejs24.x, stage: local }
plugins: [serverless-offline]
custom:
  serverless-offline: { httpPort: ${PORTS.http}, lambdaPort: ${PORTS.lambda}, noPrependStageInUrl: true, useInProcess: true, host: 127.0.0.1, noSponsor: true }
functions:
  bare: { handler: bare.handler, events: [{ http: POST /bare }] }
  house: { handler: house.handler, events: [{ http: POST /house }] }
`;

/** Requests a second of an endpoint of ours against a bare handler with the same write, under the same server. */
export async function endpointFigure(): Promise<Figure> {
  const { env, stop } = await startEmulators();
  Object.assign(process.env, env, { STAGE: 'local', BENCH_TABLE: tableName('pki') });
  await createDeclared(readDeclared(process.cwd(), 'local'));
  await seedSandbox();
  const server = await serve();
  try {
    await Promise.all([load('bare', 2), load('house', 2)]);
    const rounds = [];
    // Turn by turn, so that whatever else the machine does falls on both alike.
    for (let n = 0; n < ROUNDS; n++)
      rounds.push({ bare: await load('bare', SECONDS), house: await load('house', SECONDS) });
    const bare = median(rounds.map((round) => round.bare));
    const house = median(rounds.map((round) => round.house));
    return {
      name: 'endpoint() against a bare handler, one conditional write each',
      ratio: median(rounds.map((round) => round.house / round.bare)),
      promised: { atLeast: 0.5 },
      detail: `${Math.round(house)} and ${Math.round(bare)} requests/s`,
    };
  } finally {
    server.kill('SIGKILL');
    await stop();
  }
}

async function serve(): Promise<ChildProcess> {
  rmSync(FOLDER, { recursive: true, force: true });
  mkdirSync(FOLDER, { recursive: true });
  writeFileSync(join(FOLDER, 'serverless.yml'), CONFIG);
  await build({
    entryPoints: ['test/bench/handlers/bare.ts', 'test/bench/handlers/house.ts'],
    outdir: FOLDER,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    platform: 'node',
    target: 'node24',
    format: 'esm',
    mainFields: ['module', 'main'],
    banner: { js: "import{createRequire as __cr}from'node:module';const require=__cr(import.meta.url);" },
  });
  const cli = resolve('node_modules/serverless/bin/serverless.js');
  const server = spawn(process.execPath, [cli, 'offline', 'start'], { cwd: FOLDER, stdio: 'ignore' });
  const ended = once(server, 'exit').then(() =>
    Promise.reject(new Error('serverless-offline ended at its start.')),
  );
  await Promise.race([listening(), ended]);
  return server;
}

async function listening(): Promise<void> {
  for (;;) {
    const answer = await fetch(`http://127.0.0.1:${PORTS.http}/bare`).catch(() => undefined);
    if (answer) return;
    await pause(100);
  }
}

async function load(route: 'bare' | 'house', seconds: number): Promise<number> {
  const result = await autocannon({
    url: `http://127.0.0.1:${PORTS.http}/${route}`,
    method: 'POST',
    duration: seconds,
    connections: CONNECTIONS,
    headers: { 'content-type': 'application/json', 'x-api-key': SANDBOX_KEY },
    body: JSON.stringify({ id: route }),
  });
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${route}: ${result.non2xx} answers were not 2xx.`);
  return result.requests.average;
}
