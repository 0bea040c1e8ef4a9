import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Json, openService, type Service } from './support/contract.ts';
import { file, form, pdf } from './support/files.ts';
import { CPFS, type Installation, install, PIN, readHome } from './support/host.ts';
import { ask } from './support/http.ts';
import { expectFairAnswers, LOAD_TIMEOUT, type Work } from './support/load.ts';
import { freePort, type Program, run } from './support/programs.ts';

const APPLICATIONS = ['first-customer', 'second-customer'] as const;
const LOGO = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

let installation: Installation;
let url: string;
let trust: string;
let program: Program;
const texts: Json[] = [];
const provider = createServer(async (request, response) => {
  texts.push(JSON.parse(Buffer.concat(await request.toArray()).toString()));
  response.end();
});

/** What the page says of an installation for others than its own machine: https, and further settings. */
async function addressForOthers(): Promise<string> {
  const port = await freePort();
  url = `https://localhost:${port}`;
  const { home, authority } = installation;
  trust = authority.root;
  await authority.issueServer(home);
  writeFileSync(join(home, 'logo.png'), LOGO);
  await once(provider.listen(0, '127.0.0.1'), 'listening');
  const yaml = readHome(installation, 'sinete.yaml')
    .replaceAll(/http:\/\/localhost:\d+/g, url)
    .replace(/^listen:.*$/m, `listen: { port: ${port}, cert: cert.pem, key: key.pem }`);
  const config = join(home, 'others.yaml');
  writeFileSync(
    config,
    `${yaml.trimEnd()}
  Backup:Enabled: true
  Branding:CustomerLogo: ${join(home, 'logo.png')}
  Sms:Url: http://localhost:${(provider.address() as AddressInfo).port}/
`,
  );
  await run(`chmod a+r '${config}' '${home}/cert.pem' '${home}/key.pem' '${home}/logo.png'`);
  return config;
}

type Customer = { readonly session: Service; readonly documents: Service; readonly cpf: string };

/** An application with keys of its own for sessions and documents, and the organization that it works for. */
async function createCustomer(name: string, cpf: string, config: string): Promise<Customer> {
  const admin = async (line: string) =>
    (await installation.command(`npm run -s admin -- ${line} --config '${config}'`)).split('\n');
  const services = '--service session --service documents';
  await admin(`apps create ${name} ${services}`);
  const keys = (await admin(`keys issue ${name} ${services}`)).filter((line) => line.startsWith(`${name}|`));
  const [organization] = await admin(
    `organizations create '${name}' --owner 'maria=Maria da Silva' --service documents`,
  );
  await admin(`apps register ${name} organizations ${organization} --service documents`);
  await admin(`apps permit ${name} admin --service documents`);
  return {
    session: await openService(url, 'session', keys[0] ?? '', { trust }),
    documents: await openService(url, 'documents', keys[1] ?? '', { trust }),
    cpf,
  };
}

const customers: Customer[] = [];
let batch: Service;

beforeAll(async () => {
  installation = await install();
  const config = await addressForOthers();
  await installation.command(
    `PIN=${PIN} npm run -s admin -- vault import second.p12 --pin-env PIN --config '${config}'`,
  );
  program = installation.serve(config);
  await program.until('"message":"ready"');
  for (const [index, name] of APPLICATIONS.entries())
    customers.push(await createCustomer(name, CPFS[index] ?? '', config));
  batch = await openService(url, 'batch', readHome(installation, 'secrets/operator-key').trim(), { trust });
}, 600_000);
afterAll(async () => {
  await program?.stop();
  installation?.remove();
  provider.close();
}, 180_000);

/** Opens a session, signs under it and fetches what was signed. */
async function sign({ session, cpf }: Customer): Promise<Buffer> {
  const { sessionId } = (await session.call('createSession', { body: { cpf, pin: PIN } })).json;
  const document = file(pdf(`of ${cpf}`), 'a.pdf', 'application/pdf');
  const accepted = await session.call('signDocument', { body: form({ sessionId, document }) });
  const path = { signatureId: accepted.json.signatureId };
  await expect
    .poll(async () => (await session.call('getDocument', { path, expect: 'any' })).status)
    .toBe(200);
  return (await session.call('getDocument', { path })).bytes;
}

describe('a host on its own server', () => {
  test('has made a first signature by the block of its page', () => {
    const signed = readFileSync(join(installation.home, 'signed.pdf'));
    expect(signed.includes('ETSI.CAdES.detached')).toBe(true);
  });

  test('is ready, and says so over https of its own authority', async () => {
    expect((await ask(`${url}/readyz`, { trust })).status).toBe(200);
    expect((await ask(`${url}/docs`, { trust })).status).toBeLessThan(400);
    await expect(ask(`${url}/readyz`)).rejects.toThrow(/certificate/);
  });

  test('signs for two applications', async () => {
    for (const customer of customers) expect((await sign(customer)).includes('/ByteRange')).toBe(true);
  });

  test('refuses the keys of the sandbox', async () => {
    for (const { session } of customers)
      await session.call('getStatus', {
        query: { sessionId: 'none' },
        key: 'sandbox|sinete-local-key',
        expect: 401,
      });
  });

  test('does not show what one application has to the other', async () => {
    const [one, other] = customers as [Customer, Customer];
    const { id } = (await one.documents.call('createFolder', { body: { name: 'Contracts' } })).json;
    await one.documents.call('getFolder', { path: { id } });
    await other.documents.call('getFolder', { path: { id }, expect: 404 });
  });
});

describe('what a default start of the engine does not have', () => {
  test('a backup of the batch service begins, and is canceled', async () => {
    const { backupId } = (await batch.call('startBackup', { expect: 202 })).json;
    const canceled = await batch.call('cancelBackup', { expect: 'any' });
    // One that was quicker than the cancellation has ended.
    if (canceled.status !== 200) expect(canceled.json.code).toBe('backup.not-running');
    const { items, running } = (await batch.call('listBackups')).json;
    expect([running, ...items].map((backup: Json) => backup?.backupId)).toContain(backupId);
  });

  test('the logo of a customer', async () => {
    expect((await batch.call('getCustomerLogo', { key: null })).bytes).toEqual(LOGO);
  });

  test('codes by SMS', async () => {
    const [{ documents, cpf }] = customers as [Customer];
    const content = form({ file: file(pdf('by SMS'), 'a.pdf', 'application/pdf') });
    const { id } = (await documents.call('createUpload', { body: content })).json;
    const { items } = (await documents.call('listFolders')).json;
    const orgId = items[0].organizationId;
    const seal = readFileSync(join(installation.home, '../sources/second.p12')).toString('base64');
    await documents.call('updateSeal', { path: { orgId }, body: { pkcs12: seal, password: PIN } });
    const user = { name: 'Ana Souza', identifier: cpf, phone: '+55 11 98765-4321' };
    const electronic = { allowElectronicSignature: true, requireSmsAuthenticationToSignElectronically: true };
    const flowActions = [{ type: 'Signer', user, ...electronic }];
    const [created] = (await documents.call('createDocuments', { body: { files: [{ id }], flowActions } }))
      .json;
    const document = (await documents.call('getDocument', { path: { id: created.documentId } })).json;
    await documents.call('sendSigningCode', { body: { flowActionId: document.flowActions[0].id } });
    await expect.poll(() => texts.at(-1)?.to).toBe(user.phone);
    const smsCode = /\d{6}/.exec(texts.at(-1)?.text)?.[0];
    const body = { identifier: cpf, smsCode };
    await documents.call('signElectronically', { path: { id: created.documentId }, body });
  });
});

test('20 callers of two applications that sign are each answered', { timeout: LOAD_TIMEOUT }, async () => {
  const work: Work[] = [];
  for (const customer of customers) {
    const { session, documents, cpf } = customer;
    const { sessionId } = (await session.call('createSession', { body: { cpf, pin: PIN } })).json;
    const document = pdf(`of ${cpf}`).toString('base64');
    work.push(
      { name: `${cpf} signs`, call: () => session.call('signDocument', { body: { sessionId, document } }) },
      { name: `${cpf} asks for a session`, call: () => session.call('getStatus', { query: { sessionId } }) },
      {
        name: `${cpf} uploads`,
        call: () => documents.call('createUploadFromBytes', { body: { bytes: document } }),
      },
      { name: `${cpf} lists folders`, call: () => documents.call('listFolders') },
    );
  }
  await expectFairAnswers(work);
});
