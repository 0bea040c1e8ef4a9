import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
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
    import { sealingKey } from '../../shared/settings/kinds.ts';
    import { defineSettings } from '../../shared/settings/settings.ts';
    export const settings = defineSettings('session', { ...certificateSettings, 'Own:Key': sealingKey('Seals.') });\n`,
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
