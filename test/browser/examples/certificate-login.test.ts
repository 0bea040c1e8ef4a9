import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Pki } from '@sinete/client';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bundlePage } from '../../../examples/certificate-login/bundle.ts';
import { createLogin } from '../../../examples/certificate-login/login.ts';
import {
  SANDBOX_KEY,
  SANDBOX_CONTEXT as securityContextId,
} from '../../../functions/sandbox/sandbox-data.ts';
import { authenticationStage, OPERATIONS, type Stage } from '../../functions/pki/authentication/stage.ts';
import { call } from '../../requests/http-event.ts';
import { click, describeInChromium, openBrowser, takePicture, watch } from '../chromium.ts';

const CPF = '52998224725';

const listening = async (server: Server): Promise<string> => {
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return `http://localhost:${(server.address() as AddressInfo).port}`;
};

/** The two operations of the PKI core, over HTTP. */
const pkiCore = () =>
  createServer(async (request, response) => {
    const handler = request.url?.endsWith('/completion') ? OPERATIONS.complete : OPERATIONS.prepare;
    const body = Buffer.concat(await request.toArray()).toString('utf8');
    const headers = request.headers as Record<string, string>;
    const answer = await call(handler, { headers, body });
    response.writeHead(answer.status, answer.headers).end(answer.bytes);
  });

describeInChromium('the login example, in Chromium', () => {
  let stage: Stage;
  let browser: Browser;
  let scripts: ReadonlyMap<string, Uint8Array>;
  let pki: Pki;
  let origin: string;
  const servers: Server[] = [];
  const serve = (server: Server): Promise<string> => {
    servers.push(server);
    return listening(server);
  };

  beforeAll(async () => {
    stage = await authenticationStage();
    browser = await openBrowser();
    scripts = await bundlePage();
    pki = new Pki({ url: await serve(pkiCore()), key: SANDBOX_KEY });
    origin = await serve(createLogin({ pki, scripts, securityContextId }));
  });
  afterAll(async () => {
    for (const server of servers) server.close();
    stage?.stop();
  });

  async function visitor(at = origin) {
    const context = await browser.newContext({ locale: 'en-US' });
    const page = await context.newPage();
    const seen = watch(page, at);
    await page.goto(at);
    return { page, seen };
  }

  async function enter(page: Page, cpf = CPF, password = '1234') {
    await page.getByLabel('Certificate file').setInputFiles(stage.holderFile(cpf));
    await page.getByLabel('Its password').fill(password);
    await click(page.getByRole('button', { name: 'Enter' }));
  }

  test('lets a person in by the certificate, shows who it is, and lets them leave', async () => {
    const { page, seen } = await visitor();
    await takePicture(page, 'certificate-login');
    const sent: string[] = [];
    page.on('request', (request) => sent.push(...Object.keys(request.postDataJSON() ?? {})));
    await enter(page);
    await page.getByRole('heading', { name: 'You are in' }).waitFor();
    expect(await page.locator('main').textContent()).toContain(CPF);
    await takePicture(page, 'certificate-login-inside');
    expect(sent).toEqual(['certificate', 'signature']);
    await click(page.getByRole('button', { name: 'Leave' }));
    await page.getByRole('heading', { name: 'Enter with your certificate' }).waitFor();
    expect(seen).toEqual({ outside: [], errors: [] });
  });

  test.each([
    ['56072386105', '1234', 'not accepted'],
    [CPF, 'wrong', 'does not open'],
  ])('keeps %s with %s out, says why, and can be tried again', async (cpf, password, words) => {
    const { page } = await visitor();
    await enter(page, cpf, password);
    await page.getByText(words).waitFor();
    await enter(page);
    await page.getByRole('heading', { name: 'You are in' }).waitFor();
  });

  test('signs nothing but a nonce', async () => {
    const data = Buffer.alloc(100, 1).toString('base64');
    const trap: Parameters<typeof createLogin>[0]['pki'] = {
      prepareAuthentication: async (request) => {
        const prepared = await pki.prepareAuthentication(request);
        return { ...prepared, toSign: { ...prepared.toSign, data, hash: data } };
      },
      completeAuthentication: (request) => pki.completeAuthentication(request),
    };
    const { page } = await visitor(await serve(createLogin({ pki: trap, scripts, securityContextId })));
    await enter(page);
    await page.getByText('Nothing was signed').waitFor();
  });

  test('a signature that another browser made enters nobody here', async () => {
    const post = (path: string, body: object, cookie = '') =>
      fetch(`${origin}${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', cookie },
        body: JSON.stringify(body),
      });
    const prepared = await post('/prepare', {});
    const { data } = (await prepared.json()) as { data: string };
    const offer = stage.offer(data);
    expect(await (await post('/complete', offer)).json()).toEqual({ entered: false, reason: 'StaleSession' });
    const [cookie = ''] = prepared.headers.getSetCookie();
    const entered = await post('/complete', offer, cookie.split(';')[0]);
    expect(await entered.json()).toEqual({ entered: true });
    expect(entered.headers.getSetCookie()[0]).not.toBe(cookie);
    const again = await post('/complete', offer, cookie.split(';')[0]);
    expect(await again.json()).toEqual({ entered: false, reason: 'StaleSession' });
  });
});
