import { readFileSync } from 'node:fs';
import { approverSessions } from '../../../../functions/batch/approvals/approver-sessions.ts';
import { handler as completeHandler } from '../../../../functions/batch/approvals/endpoints/complete-approver-signature.ts';
import { handler as failHandler } from '../../../../functions/batch/approvals/endpoints/fail-approver-signature.ts';
import { handler as prepareHandler } from '../../../../functions/batch/approvals/endpoints/prepare-approver-signature.ts';
import { putProfile } from '../../../../functions/batch/profiles/domain/change-profile.ts';
import { parseProfileFields } from '../../../../functions/batch/profiles/domain/fields.ts';
import { settings } from '../../../../functions/batch/settings.ts';
import type { Endpoint } from '../../../../shared/http/endpoint.ts';
import { openPkcs12 } from '../../../../shared/pki/pkcs12/open.ts';
import { localKey } from '../../../../shared/signing/key.ts';
import { call } from '../../../requests/http-event.ts';
import { approvalStage, paid } from './approval-stage.ts';

export type Person = { readonly email: string; readonly cpf: string };

type Outcome = { readonly outcome?: string; readonly code?: string; readonly [name: string]: unknown };

const PASSWORDS: Readonly<Record<string, string>> = { '11144477735': '4321' };

let addresses = 0;

/** The stage of approvals, and approvers who sign with the certificates of the sandbox. */
export async function signingStage() {
  const stage = await approvalStage();
  const cookies = new Map<string, string>();

  const cookieOf = async (email: string): Promise<string> => {
    const known = cookies.get(email);
    if (known !== undefined) return known;
    const session = { address: email, method: 'LinkDerivedEmail', verifiedAtMs: null } as const;
    const cookie = await approverSessions.start(undefined, session, Date.now());
    cookies.set(email, cookie);
    return cookie;
  };

  /** Calls an endpoint of the portal as this person's page does. */
  const asPage = async (
    handler: Endpoint,
    { email }: Pick<Person, 'email'>,
    params: Record<string, string>,
    json: object,
  ): Promise<{ status: number; body: Outcome }> => {
    const cookie = `${settings['ApproverPortal:CookieName']}=${await cookieOf(email)}`;
    const address = `198.51.100.${++addresses % 250}`;
    const headers = { Cookie: cookie, Accept: 'application/json' };
    const { status, json: read } = await call(handler, { params, json, headers, address });
    return { status, body: read() as Outcome };
  };

  const keyOf = async (cpf: string) => {
    const file = readFileSync(stage.sandbox.pki('holders', `${cpf}.p12`));
    const { entries } = await openPkcs12(file, PASSWORDS[cpf] ?? '1234');
    const [entry] = entries;
    if (!entry) throw new Error(`${cpf} has no key.`);
    return localKey(entry.privateKey, entry.certificate, entry.chain);
  };

  const prepare = (person: Person, jobId: string, json: object) =>
    asPage(prepareHandler, person, { id: jobId }, json);
  const complete = (person: Person, attemptId: unknown, signature: Uint8Array) =>
    asPage(
      completeHandler,
      person,
      { attemptId: String(attemptId) },
      {
        signature: Buffer.from(signature).toString('base64'),
      },
    );

  const prepareWith = async (person: Person, jobId: string, cpf = person.cpf) => {
    const { certificate } = await keyOf(cpf);
    return prepare(person, jobId, { certificate: certificate.der.toString('base64') });
  };
  const signatureOf = async ({ cpf }: Person, { toSignHash }: Outcome) =>
    (await keyOf(cpf)).signHash('sha256', Buffer.from(String(toSignHash), 'base64'));

  let uploads = 0;
  return {
    ...stage,
    cookieOf,
    keyOf,
    prepare,
    prepareWith,
    complete,
    signatureOf,
    fail: (person: Person, attemptId: unknown) =>
      asPage(failHandler, person, { attemptId: String(attemptId) }, {}),
    /** Signs a job as somebody does in the browser. Answers what the page is told in the end. */
    async sign(person: Person, jobId: string): Promise<Outcome> {
      const { body } = await prepareWith(person, jobId);
      if (body.outcome !== 'prepared') return body;
      const signature = await signatureOf(person, body);
      return (await complete(person, body.attemptId, signature)).body;
    },
    /** Creates or changes a profile, which gets no key. */
    keyless: (fields: object) => putProfile('test', parseProfileFields(fields), Date.now()),
    /** A job of this profile that waits. */
    async waiting(profile: string, name = `folha-assinada-${++uploads}.rem`, content = paid()) {
      const { id } = await stage.upload(name, content, { profile });
      await stage.run();
      return stage.job(id);
    },
    attempts: (outcome: string) =>
      stage.counted(`bulk_approver_signatures_total{means="browser",outcome="${outcome}"}`),
  };
}
