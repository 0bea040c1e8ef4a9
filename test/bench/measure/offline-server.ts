import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { build } from 'esbuild';

const FOLDER = '.local/bench';
const PORTS = { http: 3391, lambda: 3392 };

/** Where the functions are served. */
export const OFFLINE_URL = `http://127.0.0.1:${PORTS.http}`;

const configOf = (names: readonly string[]): string => `service: sinete-bench
frameworkVersion: '4'
provider: { name: aws, runtime: nodejs24.x, stage: local }
plugins: [serverless-offline]
custom:
  serverless-offline: { httpPort: ${PORTS.http}, lambdaPort: ${PORTS.lambda}, noPrependStageInUrl: true, useInProcess: true, host: 127.0.0.1, noSponsor: true }
functions:
${names.map((name) => `  ${name}: { handler: ${name}.handler, events: [{ http: ANY /${name} }] }`).join('\n')}
`;

/** The handlers of these names, each at a path of its name, under a plain serverless-offline on the stores of this process. */
export async function serveOffline(names: readonly string[]): Promise<ChildProcess> {
  rmSync(FOLDER, { recursive: true, force: true });
  mkdirSync(FOLDER, { recursive: true });
  writeFileSync(join(FOLDER, 'serverless.yml'), configOf(names));
  await build({
    entryPoints: names.map((name) => `test/bench/measure/handlers/${name}.ts`),
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
  // The functions run in that process, and so do their stores.
  const stores = ['--import', import.meta.resolve('../../child-stores.ts')];
  const server = spawn(process.execPath, [...stores, cli, 'offline', 'start'], {
    cwd: FOLDER,
    stdio: 'ignore',
  });
  const ended = once(server, 'exit').then(() =>
    Promise.reject(new Error('serverless-offline ended at its start.')),
  );
  await Promise.race([listening(), ended]);
  ended.catch(() => undefined);
  return server;
}

async function listening(): Promise<void> {
  for (;;) {
    const answer = await fetch(OFFLINE_URL).catch(() => undefined);
    if (answer) return;
    await pause(100);
  }
}
