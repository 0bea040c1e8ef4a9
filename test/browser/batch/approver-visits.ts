import { createHmac, randomInt, randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { SANDBOX_KEY } from '../../../functions/sandbox/sandbox-data.ts';
import { batchClient } from '../../bench/measure/batch-client.ts';
import { type ANA, BRUNO } from '../../functions/batch/approvals/approval-stage.ts';
import { fileOf, payment, remittance } from '../../functions/batch/jobs/cnab240/remittance.ts';
import { secondsUntil } from '../../infra/local/engine/kills/killed-work.ts';
import { LINK_SECRET, type SharedEngine } from '../../servers/shared-engine.ts';
import { click, watch } from '../chromium.ts';
import { DESKTOP } from '../look.ts';

const HEADERS = { 'x-api-key': SANDBOX_KEY };

type Approver = Pick<typeof ANA, 'email'>;
export type WaitingFile = { readonly id: string; readonly name: string; readonly content: Buffer };

/** Files that wait for signatures of the sandbox's approvers, and those people in front of the pages. */
export function approverVisits(engine: SharedEngine, browser: Browser) {
  const jobOf = async (id: string, of = ''): Promise<Record<string, unknown>> =>
    (await fetch(`${engine.url}/batch/api/jobs/${id}${of}`, { headers: HEADERS })).json() as never;
  const decisionsOf = async (id: string) => (await jobOf(id, '/approvals')).decisions;
  const until = (id: string, status: string) =>
    secondsUntil(async () => (await jobOf(id)).status === status, 60);

  /** A file that two of the sandbox's people have to sign. */
  async function park(): Promise<WaitingFile> {
    const name = `assinada-${randomUUID().slice(0, 8)}.rem`;
    const content = fileOf(
      remittance([
        payment('J', { value: randomInt(1, 1e9) }),
        payment('O', { value: 98_765, movement: '9' }),
      ]),
    );
    const id = await batchClient(engine.url).upload(name, [content], '?profile=aprovacao-assinada');
    await until(id, 'AwaitingApproval');
    return { id, name, content };
  }

  async function visit({ email }: Approver, options: BrowserContextOptions = {}, origin = engine.url) {
    const context = await browser.newContext({ locale: 'en-US', ...DESKTOP, ...options });
    const page = await context.newPage();
    const seen = watch(page, origin);
    const sent: string[] = [];
    page.on('request', (request) => sent.push(`${request.url()} ${request.postData() ?? ''}`));
    const token = createHmac('sha256', LINK_SECRET).update(email).digest('base64url');
    await page.goto(`${origin}/batch/approvals/link/${token}`);
    return { page, seen, sent, close: () => context.close() };
  }

  /** Opens the job in the list, as a person does. */
  async function openJob(page: Page, { id, name }: WaitingFile): Promise<void> {
    await click(page.getByRole('link', { name }));
    await page.waitForURL(`**/batch/approvals/jobs/${id}`);
  }

  /** The signed file, as an operator downloads it. */
  async function outputOf({ id }: WaitingFile): Promise<Buffer> {
    const answer = await fetch(`${engine.url}/batch/api/jobs/${id}/output`, { headers: HEADERS });
    return Buffer.from(await answer.arrayBuffer());
  }

  const holderFile = (cpf: string): string => join(engine.dataDir, 'pki/holders', `${cpf}.p12`);

  async function sign(page: Page, { cpf } = BRUNO, password = '1234'): Promise<void> {
    await page.setInputFiles('#certificate', holderFile(cpf));
    await page.fill('#password', password);
    await page.click('#sign button');
  }

  async function problemOf(page: Page, place = '#sign .problem'): Promise<string> {
    const shown = page.locator(`${place}:visible`);
    await shown.waitFor();
    return (await shown.textContent()) ?? '';
  }

  return { decisionsOf, until, park, visit, openJob, holderFile, sign, problemOf, outputOf };
}
