import { vi } from 'vitest';
import { documentKey, issueTicket } from '../../../../functions/documents/domain/document/action-link.ts';
import { documentItems } from '../../../../functions/documents/domain/document/document.ts';
import { keepSeal } from '../../../../functions/documents/domain/electronic/set-seal.ts';
import { receiveUpload } from '../../../../functions/documents/domain/uploads/receive-upload.ts';
import { handler as create } from '../../../../functions/documents/endpoints/documents/create-documents.ts';
import { handler as createActionUrl } from '../../../../functions/documents/endpoints/signing/create-action-url.ts';
import { handler as sign } from '../../../../functions/documents/endpoints/signing/sign-electronically.ts';
import { handler as signByKey } from '../../../../functions/documents/endpoints/signing/sign-electronically-by-key.ts';
import { handler as signatures } from '../../../../functions/documents/endpoints/verification/get-signatures-details.ts';
import { holderEntry } from '../../../../functions/sandbox/authority/domain/holder-file.ts';
import { localKey } from '../../../../shared/signing/key.ts';
import { serveSandbox } from '../../../cli/sandbox.ts';
import { call } from '../../../requests/http-event.ts';
import { startServer } from '../../../shared/net/a-server.ts';
import { plainPdf } from '../../../shared/signing/pades/documents.ts';
import { partsOf } from '../endpoints/signing/calls.ts';
import { ANA, linkIn, mailStage, workOnMail } from '../mail/mail-stage.ts';

export const COMPANY = '11222333000181';

/** An action that Ana may sign electronically. */
export const electronic = (more: object = {}, user: object = {}) => ({
  type: 'Signer',
  allowElectronicSignature: true,
  user: { name: 'Ana Souza', identifier: '52998224725', email: ANA, phone: '+55 11 98765-4321', ...user },
  ...more,
});

export type Link = { readonly key: string; readonly ticket: string };
type Signer = {
  readonly isElectronic: boolean;
  readonly isSeal: boolean;
  readonly subjectName: string;
  readonly outcome: string;
  readonly evidences: Record<string, unknown> | null;
  readonly validationResults: { readonly errors: readonly { readonly message: string }[] };
};

/** A provider of SMS that keeps what it is given. */
async function startSmsProvider() {
  const taken: { readonly to: string; readonly text: string; readonly authorization: string | undefined }[] =
    [];
  let status = 202;
  const server = await startServer(async (request, response) => {
    const body = JSON.parse(Buffer.concat(await request.toArray()).toString());
    taken.push({ ...body, authorization: request.headers.authorization });
    response.writeHead(status).end();
  });
  vi.stubEnv('Sms__Url', `${server.url}/send`);
  vi.stubEnv('Sms__ApiKey', 'sms-secret');
  return {
    taken,
    answer: (next: number) => {
      status = next;
    },
    code: () => /^\d{6}/.exec(taken.at(-1)?.text ?? '')?.[0] ?? '',
    stop: server.stop,
  };
}

/** A PKI core whose biometric sessions end as a test says. */
async function startPkiCore() {
  const asked: { readonly returnUrl: string; readonly key: unknown }[] = [];
  const outcome: { success: boolean | null; status: number } = { success: null, status: 200 };
  const sessionId = '0b6c1f7e-2d7a-4f55-9d0b-6f1e3a4c5d28';
  const server = await startServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString();
    if (body) asked.push({ ...JSON.parse(body), key: request.headers['x-api-key'] });
    const answer = body
      ? { sessionId, sessionUrl: `https://pki.example/bio/${sessionId}` }
      : { sessionId, success: outcome.success };
    response.writeHead(outcome.status, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
  });
  vi.stubEnv('Liveness__BaseAddress', server.url);
  vi.stubEnv('Liveness__ApiKey', 'documents|secret');
  return { asked, outcome, sessionId, stop: server.stop };
}

/** An organization with a seal, mail and SMS. */
export async function electronicStage() {
  const sandbox = await serveSandbox();
  vi.stubEnv('Certificates__TrustAnchors', sandbox.pki('root.crt'));
  vi.stubEnv('DocumentConcludedWebhookDelayInSeconds', '0');
  const mail = await mailStage();
  const sms = await startSmsProvider();
  const pki = await startPkiCore();
  const seal = holderEntry(sandbox.authority, { name: COMPANY, issuer: 'intermediate' });
  await keepSeal(mail.orgId, seal, Date.now());
  const pdf = await plainPdf('table');
  const headers = { 'X-API-Key': mail.key };

  return {
    ...mail,
    pdf,
    sms,
    pki,
    sandbox,
    seal,
    headers,
    holder: (name: string) => {
      const { privateKey, certificate } = holderEntry(sandbox.authority, { name, issuer: 'intermediate' });
      return localKey(privateKey, certificate, []);
    },
    async post(
      flowActions: readonly object[],
      { bytes, key = mail.key, orgId = mail.orgId, ...more }: PostOptions = {},
    ) {
      const content = bytes ?? pdf;
      const file = { organizationId: orgId, name: 'contrato.pdf', contentType: 'application/pdf', content };
      const { id } = await receiveUpload(file, Date.now());
      return call(create, { headers: { 'X-API-Key': key }, json: { files: [{ id }], flowActions, ...more } });
    },
    async document(flowActions: readonly object[] = [electronic()], more: PostOptions = {}): Promise<string> {
      const answer = await this.post(flowActions, more);
      if (answer.status !== 200) throw new Error(answer.text);
      return (answer.json() as { documentId: string }[])[0]?.documentId ?? '';
    },
    async upload(content: Buffer): Promise<string> {
      const file = { organizationId: mail.orgId, name: 'a.png', contentType: 'image/png', content };
      return (await receiveUpload(file, Date.now())).id;
    },
    /** A document and the link in the mail to its first person. */
    async invited(flowActions?: readonly object[]): Promise<Link & { readonly id: string }> {
      await workOnMail();
      mail.smtp.forget();
      const id = await this.document(flowActions);
      await workOnMail();
      return { id, ...partsOf(linkIn(mail.smtp.forget().at(-1)?.mail.html)) };
    },
    /** Another link of mail to the first person of a document. */
    async invitedAgain(id: string): Promise<Link> {
      const document = await documentItems.get(id);
      const [action] = document?.flow ?? [];
      const [person] = action?.people ?? [];
      if (!document || !action || !person) throw new Error('It waits for nobody.');
      const ticket = await issueTicket(document, { action, person }, Date.now());
      return { key: documentKey(document), ticket };
    },
    async linkFor(id: string, json: object = { emailAddress: ANA }): Promise<Link> {
      const answer = await call(createActionUrl, { params: { id }, headers, json });
      return partsOf((answer.json() as { url: string }).url);
    },
    /** The code in the mail that came last. */
    async mailedCode(): Promise<string> {
      await workOnMail();
      return /\b\d{6}\b/.exec(mail.smtp.forget().at(-1)?.mail.text ?? '')?.[0] ?? '';
    },
    signByKey: ({ key, ticket }: Link, json: object = {}) =>
      call(signByKey, { params: { key }, headers: { 'User-Agent': 'Test/1' }, json: { ticket, ...json } }),
    signFor: (id: string, json: object) => call(sign, { params: { id }, headers, json }),
    async signers(id: string): Promise<readonly Signer[] | undefined> {
      const answer = await call(signatures, { params: { id }, headers });
      return (answer.json() as { signers?: Signer[] }).signers;
    },
    stop() {
      sandbox.stop();
      sms.stop();
      pki.stop();
      mail.stop();
    },
  };
}

type PostOptions = {
  readonly bytes?: Buffer;
  readonly key?: string;
  readonly orgId?: string;
} & Readonly<Record<string, unknown>>;
