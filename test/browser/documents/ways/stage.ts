import { generateKeyPairSync } from 'node:crypto';
import { globSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, BrowserContextOptions, Request } from 'playwright-core';
import { expect } from 'vitest';
import { SANDBOX_KEY } from '../../../../functions/sandbox/sandbox-data.ts';
import { deadlineIn } from '../../../../shared/async/deadline.ts';
import { hubClient } from '../../../../shared/hub/client.ts';
import { certificatesFromPem } from '../../../../shared/pki/pem.ts';
import { agentProcess, enrolled, p12Of } from '../../../agent/agent-process.ts';
import { holderPage } from '../../../agent/holder-page.ts';
import { anyCpf } from '../../../agent/holders.ts';
import { ownOrganization } from '../../../functions/documents/own-organization.ts';
import { joinEngine } from '../../../infra/local/engine/crowd.ts';
import type { SharedEngine } from '../../../servers/shared-engine.ts';
import { missingTools, openJudges } from '../../../shared/signing/pades/judges.ts';
import { watch } from '../../chromium.ts';
import { type GivenFile, platformOf } from '../../platform.ts';
import { signerOf, xml } from '../action-page/files.ts';

export const DESKTOP: BrowserContextOptions = { locale: 'en-US', viewport: { width: 1280, height: 900 } };
export const PHONE: BrowserContextOptions = {
  ...{ locale: 'pt-BR', colorScheme: 'dark' },
  ...{ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
};

const PDF_START = Buffer.from('%PDF-');

/** Of every token. It reaches nobody but the agent. */
export const PIN = 'planted-pin-5d0c1f7e';

type WaitingOptions = { readonly file?: GivenFile; readonly requiredCompanyIdentifier?: string };

export type Stage = Awaited<ReturnType<typeof openStage>>;

/** What the tests of the ways to sign share: an engine, a browser, and people with links and tokens. */
export async function openStage(engine: SharedEngine, browser: Browser) {
  joinEngine(engine.dataDir);
  const { url, dataDir } = engine;
  const platform = platformOf(engine);
  const [root] = certificatesFromPem(readFileSync(join(dataDir, 'pki/root.crt'), 'utf8'));
  if (!root) throw new Error('The engine has written no root.');
  const judges = missingTools().length === 0 ? openJudges(root, '-no-ocsp') : undefined;
  await leaveOutSilentProvider(url);

  /** Whoever opens a page, with everything that their browser sends. */
  async function visit(link: string, options: BrowserContextOptions) {
    const context = await browser.newContext(options);
    const page = await context.newPage();
    const seen = watch(page, url);
    const requests: Request[] = [];
    context.on('request', (request) => requests.push(request));
    await page.goto(link);
    const choose = (way: 'file' | 'cloud' | 'token') => page.check(`#way-${way}`);
    const submit = () => page.click('#sign button[type=submit]');
    const state = (way: 'cloud' | 'token') => page.locator(`[data-way=${way}] .way-state`);
    const says = (way: 'cloud' | 'token', text: string | RegExp) => state(way).getByText(text).waitFor();
    const problem = async () => {
      const box = page.locator('#sign .problem:visible');
      await box.waitFor();
      return (await box.textContent()) ?? '';
    };
    return { context, page, seen, requests, choose, submit, says, problem, close: () => context.close() };
  }

  const waitingAt = async (at: typeof platform, name: string, cpf: string) => {
    const id = await at.document({ ...xml(), name: `${name}.xml` }, [signerOf(cpf)]);
    return { id, link: (await at.links(id, { identifier: cpf })).url };
  };

  /** A person with a token of their own. The agent runs once it is asked for. */
  async function tokenHolder() {
    const cpf = anyCpf();
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const person = { ...(await platform.certified(privateKey, cpf)), cpf, name: 'PESSOA DE TESTE' };
    const p12 = await p12Of(person, PIN);
    return {
      ...{ cpf, p12 },
      /** Starts the agent, and types the PIN that proves its key. */
      async startAgent() {
        const folder = await enrolled({ url: `${url}/session` } as Parameters<typeof enrolled>[0], cpf);
        const agent = agentProcess(['run', '--p12', p12, '--data', folder, '--no-open']);
        const page = await holderPage(agent);
        await page.shows(/needed once/);
        await page.confirm(PIN);
        await agent.said(/Offering the certificate/);
        await page.forget();
        /** It says good-bye to the server. */
        const stop = async () => {
          agent.process.kill('SIGTERM');
          await agent.exited;
        };
        return { ...page, stop, printed: agent.printed };
      },
    };
  }

  const secrets = [PIN];
  let workstation: ReturnType<typeof startWorkstation> | undefined;
  async function startWorkstation() {
    const { cpf, startAgent } = await tokenHolder();
    const agent = await startAgent();
    const stop = async () => {
      workstation = undefined;
      await agent.stop();
    };
    return { ...agent, cpf, stop };
  }

  return {
    ...{ url, dataDir, platform, visit },

    /** An organization in which nobody but the test has documents. */
    async ownOrganization() {
      const { key, orgId } = await ownOrganization();
      const own = platformOf(engine, key);
      return {
        ...{ ...own, key },
        waiting: (name: string, cpf: string) => waitingAt(own, name, cpf),
        brand: (branding: object) =>
          fetch(`${url}/documents/api/organizations/${orgId}/branding`, {
            method: 'PUT',
            headers: { 'x-api-key': key, 'content-type': 'application/json' },
            body: JSON.stringify(branding),
          }),
      };
    },

    /** A file that waits for this person, and the link to it. */
    async waiting(cpf: string, { file = xml(), ...more }: WaitingOptions = {}) {
      const id = await platform.document(file, [signerOf(cpf, more)]);
      return { id, link: (await platform.links(id, { identifier: cpf })).url };
    },

    /** One of this name, without a link. */
    waitingNamed: (name: string, cpf: string) =>
      platform.document({ ...xml(), name: `${name}.xml` }, [signerOf(cpf)]),

    /** The signed file is good for our verifier; a PDF for pdfsig and for qpdf, too. */
    async expectValid(id: string, key = SANDBOX_KEY): Promise<void> {
      const answer = await fetch(`${url}/documents/api/documents/${id}/content?type=Signatures`, {
        headers: { 'x-api-key': key },
      });
      await expectValidFile(Buffer.from(await answer.arrayBuffer()));
    },
    expectValidFile,

    tokenHolder,

    /** A person whose agent runs: most tests need no other. */
    workstation(): ReturnType<typeof startWorkstation> {
      workstation ??= startWorkstation();
      return workstation;
    },

    /** Keeps a text that must be in no file of the engine at the end. */
    keepOut: (...texts: readonly string[]) => secrets.push(...texts),

    /** The files of the engine in which one of these texts stands: its stores and its log. */
    filesWithSecrets(): string[] {
      const names = globSync('{store/**/*,*.log,*.json}', { cwd: dataDir });
      return names.filter((name) => {
        const bytes = contentOf(join(dataDir, name));
        return secrets.some((secret) => bytes.includes(secret));
      });
    },
    close: () => judges?.close(),
  };

  async function expectValidFile(bytes: Buffer): Promise<void> {
    const answer = await fetch(`${url}/documents/api/verification`, {
      method: 'POST',
      body: Uint8Array.from(bytes),
    });
    expect(await answer.json()).toMatchObject({ outcome: 'valid' });
    if (!judges || !bytes.subarray(0, 5).equals(PDF_START)) return;
    const judged = judges.judge(bytes);
    expect(judged.signatures).toEqual(['Signature is Valid.']);
    expect(judged.complaints).toBe('');
  }
}

/** Nothing, of a file that the engine has removed meanwhile: it works for other tests, too. */
function contentOf(path: string): Buffer {
  try {
    return statSync(path).isFile() ? readFileSync(path) : Buffer.of();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return Buffer.of();
    throw error;
  }
}

/** A provider that never answers would take five seconds of every test. The hub asks it no more after five failures. */
async function leaveOutSilentProvider(url: string): Promise<void> {
  const hub = hubClient({ address: `${url}/hub`, apiKey: SANDBOX_KEY });
  const request = {
    redirectUri: `${url}/documents/cloud/return`,
    identifier: '52998224725',
    ...({ type: 'SingleSignature', lifetimeSeconds: 60, customState: '' } as const),
  };
  const deadline = deadlineIn(20_000, Date.now);
  await Promise.all(Array.from({ length: 5 }, () => hub.createSession(request, deadline)));
}
