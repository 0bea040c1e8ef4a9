import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { GetItemCommand } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { attempts } from '../../../functions/batch/approvals/domain/signatures/attempt.ts';
import { SANDBOX_KEY } from '../../../functions/sandbox/sandbox-data.ts';
import { deadlineIn } from '../../../shared/async/deadline.ts';
import { childrenOf, readDer } from '../../../shared/der/read.ts';
import { TAG } from '../../../shared/der/tags.ts';
import { octetString, setOf } from '../../../shared/der/write.ts';
import { hubClient } from '../../../shared/hub/client.ts';
import { resultsOf } from '../../../shared/pki/findings/validation-results.ts';
import { icpBrasilIdentity } from '../../../shared/pki/icp-brasil/icp-brasil.ts';
import { openPkcs12 } from '../../../shared/pki/pkcs12/open.ts';
import { senderOf } from '../../../shared/queue/outbox.ts';
import { tableName } from '../../../shared/settings/names.ts';
import { ATTRIBUTE, CONTENT } from '../../../shared/signing/cms/oids.ts';
import { attribute, signedAttributes } from '../../../shared/signing/cms/signer-info.ts';
import { hashOf } from '../../../shared/signing/digest.ts';
import { findSignatures, inMemory } from '../../../shared/signing/verification/verify-file.ts';
import { dynamo } from '../../../shared/store/client.ts';
import { dueKey } from '../../../shared/store/due/message.ts';
import { keyAttributes } from '../../../shared/store/item.ts';
import { ANA, BRUNO } from '../../functions/batch/approvals/approval-stage.ts';
import { joinEngine } from '../../infra/local/engine/crowd.ts';
import { type SharedEngine, sharedEngine } from '../../servers/shared-engine.ts';
import { folder, openssl } from '../../shared/signing/cms/openssl.ts';
import { barriersInBothSchemes } from '../barriers.ts';
import { click, describeInChromium, openBrowser, takePicture } from '../chromium.ts';
import { expectFits, look, PHONE_IN_PORTUGUESE } from '../look.ts';
import { approverVisits, type WaitingFile } from './approver-visits.ts';

describeInChromium('an approver who signs, in Chromium', () => {
  const judged = folder();
  let engine: SharedEngine;
  let browser: Browser;
  // Of a job on which nobody decides: for all that comes to nothing.
  let waiting: WaitingFile;
  let people: ReturnType<typeof approverVisits>;

  beforeAll(async () => {
    [browser, engine] = await Promise.all([openBrowser(), sharedEngine()]);
    joinEngine(engine.dataDir);
    people = approverVisits(engine, browser);
    [waiting] = await Promise.all([people.park(), leaveOutSilentProvider()]);
  }, 120_000);
  afterAll(async () => {
    judged.remove();
  });

  /** A provider that never answers would take five seconds of every test. The hub asks it no more after five failures. */
  async function leaveOutSilentProvider(): Promise<void> {
    const hub = hubClient({ address: `${engine.url}/hub`, apiKey: SANDBOX_KEY });
    const redirectUri = `${engine.url}/batch/approvals/cloud/return`;
    const terms = { type: 'SingleSignature', lifetimeSeconds: 60, customState: '' } as const;
    const request = { redirectUri, identifier: ANA.cpf, ...terms };
    await Promise.all(
      Array.from({ length: 5 }, () => hub.createSession(request, deadlineIn(20_000, Date.now))),
    );
  }

  async function tabTo(page: Page, id: string): Promise<void> {
    for (let presses = 0; presses < 40; presses++) {
      await page.keyboard.press('Tab');
      if ((await page.evaluate('document.activeElement?.id')) === id) return;
    }
    throw new Error(`The keyboard does not reach ${id}.`);
  }

  /** The CPF of each signer of the output, all of them good for openssl and for our own verifier. */
  async function signersOf(job: WaitingFile): Promise<string[]> {
    const signed = await people.outputOf(job);
    const root = new X509Certificate(readFileSync(join(engine.dataDir, 'pki/root.crt'))).toString();
    const { ok, says, stdout } = openssl(
      ...['cms', '-verify', '-cades', '-binary', '-inform', 'DER', '-in', judged.file('signed', signed)],
      ...['-CAfile', judged.file('root.pem', root), '-purpose', 'any'],
    );
    expect([ok, says]).toEqual([true, expect.stringContaining('Verification successful')]);
    expect(stdout.equals(job.content)).toBe(true);
    const judge = async () => ({ status: 'ACTIVE', results: resultsOf([]) }) as const;
    const { signatures } = await findSignatures('CAdES', inMemory(signed), { judge, atMs: Date.now() });
    return signatures
      .map(({ intact, certificate }) => (intact && certificate && icpBrasilIdentity(certificate).cpf) || '')
      .toSorted();
  }

  test('signs in the cloud without a script, another with a file by the keyboard, and the output has every signature', async () => {
    const job = await people.park();
    const ana = await people.visit(ANA, { ...PHONE_IN_PORTUGUESE, javaScriptEnabled: false });
    await people.openJob(ana.page, job);
    expect(await ana.page.locator('main').textContent()).toContain('Rejeitar funciona sem ele.');
    expect(await ana.page.locator('#sign').isVisible()).toBe(false);
    await click(ana.page.getByRole('button', { name: 'Assinar e aprovar na nuvem' }));
    await click(ana.page.getByRole('button', { name: 'Não permitir' }));
    await ana.page.waitForURL(`**/jobs/${job.id}?problem=provider-failed`);
    expect(await people.problemOf(ana.page, '#decision-problem')).toContain('Nada foi registrado');
    expect(await people.decisionsOf(job.id)).toEqual([]);
    await click(ana.page.getByRole('button', { name: 'Assinar e aprovar na nuvem' }));
    await click(ana.page.getByRole('button', { name: 'Permitir', exact: true }));
    await ana.page.getByText('Sua aprovação foi registrada.').waitFor();
    await ana.page.getByText('1 de 2 aprovações').waitFor();
    await ana.close();

    const { page, seen, sent, close } = await people.visit(BRUNO);
    await people.openJob(page, job);
    await people.sign(page, BRUNO, 'secret-9999');
    expect(await people.problemOf(page)).toContain('password does not open');
    await page.reload();
    await tabTo(page, 'certificate');
    const [chooser] = await Promise.all([page.waitForEvent('filechooser'), page.keyboard.press('Space')]);
    await chooser.setFiles(people.holderFile(BRUNO.cpf));
    await tabTo(page, 'password');
    await page.keyboard.type('1234');
    await page.keyboard.press('Enter');
    await page.getByText('Your approval was recorded.').waitFor();
    expect(await page.getByRole('heading', { name: 'Your decision' }).count()).toBe(0);
    await expectFits(page, 'signing-done');
    await close();
    const decision = { identificationMethod: 'LinkDerivedEmail', decision: 'approved' };
    expect(await people.decisionsOf(job.id)).toMatchObject(
      [ANA, BRUNO].map(({ email }) => ({ ...decision, approverEmail: email })),
    );
    expect(seen).toEqual({ outside: [], errors: [] });
    expect(sent.join('\n')).not.toMatch(/secret-9999|1234"|password/);
    const bodies = sent.flatMap((text) => (text.includes('{') ? [text.slice(text.indexOf('{'))] : []));
    expect(bodies.map((body) => Object.keys(JSON.parse(body)))).toEqual([['certificate'], ['signature']]);

    await people.until(job.id, 'Completed');
    // The profile's key is of Ana's CPF too.
    expect(await signersOf(job)).toEqual([ANA.cpf, BRUNO.cpf, ANA.cpf].toSorted());
  });

  test('has no barrier that axe finds, and fits every screen', async () => {
    const { page, close } = await people.visit(ANA, PHONE_IN_PORTUGUESE);
    await people.openJob(page, waiting);
    const headings = await page
      .locator('h1, h2, h3, h4')
      .evaluateAll((all) => all.map(({ tagName }) => tagName));
    expect(headings).toEqual(['H1', 'H2', 'H3', 'H3', 'H2', 'H2']);
    await takePicture(page, 'signing-job');
    await page.goto(`${page.url()}?problem=provider-failed`);
    await people.sign(page, BRUNO);
    expect(await people.problemOf(page)).toContain('é de outra pessoa');
    expect(await people.problemOf(page)).toContain('approval.certificate-cpf-mismatch');
    expect(await page.locator('#certificate').getAttribute('aria-invalid')).toBe('true');
    await click(page.getByText('Rejeitar…'));
    await look(page, 'signing-problem', barriersInBothSchemes);
    // The page that leads to the provider stays where that answers nothing.
    await page.route('**/sandbox/providers/**', (route) => route.fulfill({ status: 204 }));
    await click(page.getByRole('button', { name: 'Assinar e aprovar na nuvem' }));
    await page.getByRole('heading', { name: 'Permita a assinatura no seu provedor' }).waitFor();
    await look(page, 'signing-providers');
    expect(await people.decisionsOf(waiting.id)).toEqual([]);
    await close();
  });

  // A redirect of the form would be blocked: the provider is another origin, and form-action is 'self'.
  test('arrives at a provider of another origin, under the strict policy of the portal', async () => {
    const origin = engine.url.replace('localhost', '127.0.0.1');
    const { page, close } = await people.visit(ANA, {}, origin);
    await people.openJob(page, waiting);
    await click(page.getByRole('button', { name: 'Sign and approve in the cloud' }));
    await page.getByRole('button', { name: 'Do not allow' }).waitFor();
    expect(new URL(page.url()).origin).toBe(engine.url);
    await close();
  });

  const outcomeOf = async (attemptId: string) => (await attempts.get(attemptId))?.outcome;

  /** The answer of the server when it prepares a signature of the page. */
  const prepared = async (page: Page): Promise<{ attemptId: string; toSignData: string }> =>
    (await page.waitForResponse(/\/jobs\/[^/]+\/signature$/)).json();

  /** Puts other bytes into the answers by which the server prepares signatures, as one that was taken over does. */
  const swap = (page: Page, toSign: Buffer) =>
    page.route('**/signature', async (route) => {
      // Those of the page itself, which are lost on this way.
      const headers = { ...route.request().headers(), 'sec-fetch-site': 'same-origin' };
      const json = await (await route.fetch({ headers })).json();
      const changes = {
        toSignData: toSign.toString('base64'),
        toSignHash: hashOf('sha256', toSign).toString('base64'),
      };
      await route.fulfill({ json: { ...json, ...changes } });
    });

  test('signs nothing but this file, and reports that it did not', async () => {
    const { page, sent, close } = await people.visit(BRUNO);
    await people.openJob(page, waiting);
    const [entry] = (await openPkcs12(readFileSync(people.holderFile(BRUNO.cpf)), '1234')).entries;
    if (!entry) throw new Error('Bruno has no key.');
    const { certificate } = entry;
    const prepareFor = async ({ id }: WaitingFile) => {
      const path = `${engine.url}/batch/approvals/jobs/${id}/signature`;
      const data = { certificate: certificate.der.toString('base64') };
      const answer = await page.request.post(path, { data, headers: { accept: 'application/json' } });
      return Buffer.from((await answer.json()).toSignData, 'base64');
    };
    const contentDigest = Buffer.alloc(32, 7);
    const right = childrenOf(readDer(await prepareFor(waiting)), TAG.SET);
    // Sorted first: a reader that keeps the last one would find the right hash.
    const other = attribute(ATTRIBUTE.messageDigest, octetString(Buffer.alloc(32)));
    const swapped = {
      'of another file': await prepareFor(await people.park()),
      // The page cannot compare the digest of a PDF or XML signature with the file.
      'of a PDF': signedAttributes({ contentType: CONTENT.data, contentDigest, certificate }),
      'of XML': Buffer.from(
        '<SignedInfo xmlns="http://www.w3.org/2000/09/xmldsig#"><Reference/><Reference Type="http://uri.etsi.org/01903#SignedProperties"/></SignedInfo>',
      ),
      'with the hash twice': setOf(...right.map(({ raw }) => raw), other),
    };
    const expectNothing = async (what: string, says: string) => {
      const [{ attemptId }] = await Promise.all([prepared(page), people.sign(page)]);
      expect([what, await people.problemOf(page)]).toEqual([what, expect.stringContaining(says)]);
      await expect.poll(async () => [what, await outcomeOf(attemptId)]).toEqual([what, 'browser-failed']);
      await page.unrouteAll();
    };
    for (const [what, toSign] of Object.entries(swapped)) {
      await swap(page, toSign);
      await expectNothing(what, 'Nothing was signed');
    }
    await page.route('**/file', (route) => route.fulfill({ body: 'another file' }));
    await expectNothing('the file', 'is not the one that this page shows');
    expect(sent.filter((one) => /signatures\/[^/ ]+ /.test(one))).toEqual([]);
    expect(await people.decisionsOf(waiting.id)).toEqual([]);
    await close();
  });

  test('leaves the page midway, which is counted as abandoned when its time is over', async () => {
    const { page, close } = await people.visit(BRUNO);
    await people.openJob(page, waiting);
    await page.route('**/file', () => undefined);
    const [{ attemptId }] = await Promise.all([prepared(page), people.sign(page)]);
    await page.getByText('Signing in this browser').waitFor();
    await close();
    const attempt = await attempts.get(attemptId);
    expect(attempt?.outcome).toBeNull();
    // The outbox sends this message at that time.
    const Key = keyAttributes(dueKey(`signature:${attemptId}`));
    const { Item = {} } = await dynamo().send(new GetItemCommand({ TableName: tableName('batch'), Key }));
    const { id, token, queue, body, dueAt } = unmarshall(Item);
    expect(dueAt).toBe(attempt?.expiresAtMs);
    await senderOf('batch')(queue, [{ body: JSON.parse(body), record: { id, token } }]);
    await expect.poll(() => outcomeOf(attemptId)).toBe('abandoned');
  });

  test('is asked for a code when the last one counts no longer, and told of a wrong one', async () => {
    const job = await people.park();
    const { page, sent, close } = await people.visit(BRUNO);
    await people.openJob(page, job);
    const outcomes = ['code-required', 'approval.second-factor-invalid-code'];
    await page.route('**/signature', async (route) => {
      const outcome = outcomes.shift();
      return outcome ? route.fulfill({ json: { outcome } }) : route.continue();
    });
    const code = page.getByLabel('Code of your authenticator app');
    expect(await code.isVisible()).toBe(false);
    await people.sign(page);
    expect(await people.problemOf(page)).toContain('Type the code');
    await code.fill('123456');
    await page.click('#sign button');
    await page.getByText('The code is wrong').waitFor();
    expect(await code.inputValue()).toBe('');
    await look(page, 'signing-code');
    await code.fill('654321');
    await page.click('#sign button');
    await page.getByText('Your approval was recorded.').waitFor();
    expect(sent.filter((one) => one.includes('"code":"123456"'))).toHaveLength(1);
    await close();
  });
});
