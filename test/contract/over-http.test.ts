import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { endpointFiles } from '../../infra/build/function-files.ts';
import { SERVICES } from '../../shared/settings/names.ts';
import { describeInChromium, openBrowser, openPageAt } from '../browser/chromium.ts';
import { NODES } from '../clients/typescript/nodes.ts';
import { cleanUp, startEngineProcess } from '../infra/local/engine/engine-process.ts';
import { mayRefuse, type Outcomes, plainCalls } from './client-calls.ts';
import { expectAnswerByContract } from './samples.ts';

const names = endpointFiles().map(({ service, name }) => `${service}/${name}`);

let url: string;
beforeAll(async () => {
  const engine = await startEngineProcess();
  await engine.ready();
  url = engine.url;
}, 120_000);
afterAll(cleanUp);

describe('over HTTP, on the running engine', () => {
  test.each(names)('%s answers by its contract', (name) => expectAnswerByContract(name, url));

  test.each(SERVICES)(
    '%s refuses a method that a known path does not have, in its own style',
    async (service) => {
      const answer = await fetch(`${url}/${service}/openapi/v1.json`, { method: 'DELETE' });
      expect(answer.status).toBe(404);
      expect(answer.headers.get('x-correlation-id')).toMatch(/^[0-9a-f-]{36}$/);
      const text = await answer.text();
      expect(text).toMatch(/ENDPOINT_NOT_FOUND|EndpointNotFound|route\.not-found/);
    },
  );

  test.each(SERVICES)(
    '%s serves its contract without a credential, its own address in it',
    async (service) => {
      const document = (await (await fetch(`${url}/${service}/openapi/v1.json`)).json()) as {
        servers: unknown;
      };
      expect(document.servers).toEqual([{ url: `${url}/${service}` }]);
    },
  );
});

const folder = mkdtempSync(join(tmpdir(), 'sinete-calls-'));
afterAll(() => rmSync(folder, { recursive: true }));
const at = (name: string) => join(folder, name);

/** Those that were neither done nor refused by a code of the operation: the client has sent them otherwise. */
const missent = (outcomes: Outcomes) =>
  outcomes.filter(([name, outcome]) => outcome !== 'done' && !mayRefuse(name, outcome));

describe('the client calls every operation on the running engine', () => {
  beforeAll(async () => {
    const options = { bundle: true, platform: 'neutral', target: 'es2022', format: 'esm' } as const;
    await build({
      ...options,
      entryPoints: ['clients/typescript/src/index.ts'],
      outfile: at('client.mjs'),
    });
    cpSync('test/clients/typescript/walk.mjs', at('walk.mjs'));
    writeFileSync(at('calls.json'), JSON.stringify(await plainCalls()));
    writeFileSync(
      at('main.mjs'),
      `import { readFileSync } from 'node:fs';
      import * as client from './client.mjs';
      import { callAll } from './walk.mjs';
      const calls = JSON.parse(readFileSync(new URL('calls.json', import.meta.url), 'utf8'));
      console.log(JSON.stringify(await callAll(client, process.argv[2], calls)));`,
    );
  });

  test.each(NODES)('in %s', async (node) => {
    const { stdout } = await promisify(execFile)(node, [at('main.mjs'), url], { maxBuffer: 10_000_000 });
    const outcomes: Outcomes = JSON.parse(stdout);
    expect(outcomes).toHaveLength((await plainCalls()).length);
    expect(missent(outcomes)).toEqual([]);
  });

  describeInChromium('in Chromium', () => {
    test('in a page of the same address', async () => {
      const browser = await openBrowser();
      try {
        const page = await openPageAt(browser, `${url}/documents/healthz`);
        const given = JSON.stringify([
          readFileSync(at('client.mjs'), 'utf8'),
          readFileSync(at('walk.mjs'), 'utf8'),
          url,
          JSON.parse(readFileSync(at('calls.json'), 'utf8')),
        ]);
        const outcomes = await page.evaluate(`(async ([code, steps, url, calls]) => {
          const load = (text) => import(URL.createObjectURL(new Blob([text], { type: 'text/javascript' })));
          const [client, { callAll }] = await Promise.all([load(code), load(steps)]);
          return callAll(client, url, calls);
        })(${given})`);
        expect(missent(outcomes as Outcomes)).toEqual([]);
      } finally {
        await browser.close();
      }
    });
  });
});
