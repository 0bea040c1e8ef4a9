import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { build } from 'esbuild';

const FOLDER = resolve('.local/bench');
const PORT = 3391;

/** Where the functions are served. */
export const HANDLERS_URL = `http://127.0.0.1:${PORT}/bench`;

const functionsOf = (names: readonly string[]): string =>
  names
    .map(
      (name) =>
        `bench-${name}: { handler: dist/bench/${name}.handler, events: [{ http: ANY /bench/${name} }] }\n`,
    )
    .join('');

/** The handlers of these names, each at a path of its name, behind the HTTP of engine and host, on the stores of this process. */
export async function serveHandlers(names: readonly string[]): Promise<ChildProcess> {
  rmSync(FOLDER, { recursive: true, force: true });
  mkdirSync(join(FOLDER, 'functions/bench'), { recursive: true });
  writeFileSync(join(FOLDER, 'functions/bench/functions.yml'), functionsOf(names));
  await build({
    entryPoints: names.map((name) => `test/bench/measure/handlers/${name}.ts`),
    outdir: join(FOLDER, 'dist/bench'),
    outExtension: { '.js': '.mjs' },
    bundle: true,
    platform: 'node',
    target: 'node24',
    format: 'esm',
    mainFields: ['module', 'main'],
    banner: { js: "import{createRequire as __cr}from'node:module';const require=__cr(import.meta.url);" },
  });
  const script = new URL('./handlers-process.ts', import.meta.url);
  const server = fork(script, [FOLDER, String(PORT)], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    // More calls than an application of the sandbox may make.
    env: { ...process.env, Throttle__ApplicationCallsPerMinute: '1000000' },
  });
  const ended = once(server, 'exit').then(() =>
    Promise.reject(new Error('The server of the handlers ended at its start.')),
  );
  await Promise.race([once(server, 'message'), ended]);
  ended.catch(() => undefined);
  return server;
}
