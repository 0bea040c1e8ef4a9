import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { build } from '../../infra/build/build.ts';
import { freePort } from '../../infra/local/engine/ports.ts';
import type { Framework } from '../../infra/plugins/framework.ts';
import SinetePlugin from '../../infra/plugins/sinete.ts';
import { echoHandler } from './sample-repository.ts';

/** A session service of four functions, for the framework to package and to serve. */
export const SAMPLE = {
  'functions/session/functions.yml': `
sessionGetThing:
  handler: dist/session/get-thing.handler
  timeout: 60
  reservedConcurrency: \${self:custom.reservedConcurrency}
  events: [{ http: { path: 'session/v1/things/{id}', method: get, response: { transferMode: STREAM } } }]
sessionAnyThing:
  handler: dist/session/any-thing.handler
  timeout: 60
  events: [{ http: ANY /session/v1/anything }]
sessionSweep:
  handler: dist/session/sweep.handler
  events: [{ schedule: rate(1 minute) }]
sessionRefuseUnknownRoute:
  handler: dist/session/refuse-unknown-route.handler
  events:
    - http: { path: session, method: any }
    - http: { path: 'session/{proxy+}', method: any }
`,
  'functions/session/settings.ts': `import { certificateSettings } from '../../shared/pki/verdict/settings.ts';
    import { secret } from '../../shared/settings/kinds.ts';
    import { defineSettings } from '../../shared/settings/settings.ts';
    export const settings = defineSettings('session', { ...certificateSettings, 'Own:Key': secret('', 'Seals.') });\n`,
  'functions/hub/settings.ts': `import { requiredWhenDeployed, text } from '../../shared/settings/kinds.ts';
    import { defineSettings } from '../../shared/settings/settings.ts';
    export const settings = defineSettings('hub', {
      'Hub:Word': requiredWhenDeployed(text('', 'A word.'), 'the hub says it.'),
    });\n`,
  'functions/session/endpoints/get-thing.ts': echoHandler('get-thing'),
  'functions/session/endpoints/any-thing.ts': echoHandler('any-thing'),
  'functions/session/endpoints/refuse-unknown-route.ts': echoHandler('refused'),
  'functions/session/workers/sweep.ts': echoHandler('sweep'),
  'functions/sandbox/functions.yml': `
sandboxReceive:
  handler: dist/sandbox/receive.handler
  events: [{ http: { path: 'sandbox/receiver/{name}', method: any } }]
`,
  'functions/sandbox/endpoints/receive.ts': echoHandler('receive'),
};

export const FRAMEWORK = join(process.cwd(), 'node_modules/serverless/bin/serverless.js');

/** Where the framework keeps its schema compiled, which takes longer than all else that it does. */
export const SCHEMA_CACHE = { SLS_SCHEMA_CACHE_BASE_DIR: join(process.cwd(), 'node_modules/.cache/sinete') };

type Ended = { code: number; stdout: string; stderr: string };

/** Runs a script, and answers how it ended. */
export async function run(script: string, args: string[], options: { cwd: string; env?: NodeJS.ProcessEnv }) {
  try {
    const { stdout, stderr } = await promisify(execFile)(process.execPath, [script, ...args], options);
    return { code: 0, stdout, stderr };
  } catch (error) {
    return error as Ended;
  }
}

/**
 * What the plugin does before anything is packaged, without the framework around it, which takes seconds to load. Rejects with
 * what the framework would print.
 */
export async function prepare(
  serviceDir: string,
  { stage, params, environment = {} }: { stage: string; params: string[]; environment?: object },
): Promise<void> {
  const sessionGetThing = { handler: 'dist/session/get-thing.handler', events: [] };
  const framework = {
    classes: { Error },
    processedInput: { commands: ['package'], options: { param: params } },
    serviceDir,
    service: { functions: { sessionGetThing }, provider: { stage, environment } },
    getProvider: () => ({ naming: { normalizePathPart: (part: string) => part } }),
  } as unknown as Framework;
  await new SinetePlugin(framework).hooks.initialize?.();
}

/** Builds a sample repository's functions, and serves them with serverless-offline. */
export async function serve(root: string) {
  const [httpPort, lambdaPort] = [await freePort(), await freePort()];
  const ports = ['--httpPort', `${httpPort}`, '--lambdaPort', `${lambdaPort}`];
  await build({ local: true, outdir: root, root });
  const offline = spawn(
    process.execPath,
    [FRAMEWORK, 'offline', 'start', '--stage', 'local', '--param', 'service=session', ...ports],
    {
      cwd: root,
      env: { ...process.env, ...SCHEMA_CACHE },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  let said = '';
  for (const stream of [offline.stdout, offline.stderr]) stream?.on('data', (chunk) => (said += chunk));
  while (!said.includes('Server ready') && offline.exitCode === null) await pause(50);
  if (!said.includes('Server ready')) throw new Error(`serverless-offline did not start: ${said}`);
  return {
    url: `http://127.0.0.1:${httpPort}`,
    lambdaUrl: `http://127.0.0.1:${lambdaPort}`,
    /** What it has printed so far. */
    said: () => said,
    async stop() {
      if (offline.exitCode !== null) return;
      offline.kill('SIGKILL');
      await once(offline, 'exit');
    },
  };
}
