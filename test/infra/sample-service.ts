import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { build } from '../../infra/build/build.ts';
import { CACHE } from '../../infra/local/engine/build-cache.ts';
import { scriptOf, startMember } from '../../infra/local/engine/members.ts';
import { freePort } from '../../infra/local/engine/ports.ts';
import type { RoutesOrder } from '../../infra/local/engine/routes-process.ts';
import type { Framework } from '../../infra/plugins/framework.ts';
import SinetePlugin from '../../infra/plugins/sinete.ts';
import { echoHandler } from './sample-repository.ts';

/** A session service of four functions, for the framework to package and the engine to serve. */
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

/** Builds a sample repository's functions, and serves them as the local engine does. */
export async function serve(root: string) {
  await build({ local: true, outdir: root, root });
  const port = await freePort();
  const lines: string[] = [];
  const log = {
    path: 'memory',
    write: (line: string) => void lines.push(line),
    close: async () => undefined,
  };
  const options = { root, cacheDir: CACHE, env: process.env, log, print: () => undefined };
  const routes = startMember<RoutesOrder>('The sample', scriptOf('routes'), options);
  await routes.begin({ root, buildDir: root, env: {}, port, unreachable: [] });
  return {
    url: `http://127.0.0.1:${port}`,
    /** What it has printed so far. */
    said: () => lines.join('\n'),
    stop: routes.stop,
  };
}
