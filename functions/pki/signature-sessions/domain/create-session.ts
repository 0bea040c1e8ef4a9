import { randomUUID } from 'node:crypto';
import type { Caller } from '../../../../shared/access/caller.ts';
import { hashSecret, newSecret } from '../../../../shared/access/secrets.ts';
import { commonSettings } from '../../../../shared/settings/common.ts';
import { parseCpf } from '../../../../shared/taxpayer/cpf.ts';
import { checkReturnUrl } from '../../domain/registered-addresses.ts';
import { PKI_BRAZIL, securityContext } from '../../domain/security-contexts.ts';
import { taskMessage } from '../../domain/tasks.ts';
import { errors } from '../../errors.ts';
import { addDocument, type DocumentUpload, refuseTooMany } from './add-document.ts';
import { signatureSessions } from './session.ts';

type CertificateRequirement = { readonly type: string; readonly argument?: string | null | undefined };

export type CreateSessionRequest = {
  readonly returnUrl: string;
  readonly securityContextId?: string | null | undefined;
  readonly ignoreRevocationStatusUnknown?: boolean | null | undefined;
  readonly certificateRequirements?: readonly CertificateRequirement[] | null | undefined;
  readonly documents?: readonly DocumentUpload[] | null | undefined;
};

// How long a session waits for its signer.
const TOKEN_VALID_MS = 4 * 3_600_000;
// The files of a session signed in its last second are made by then, retries included.
const KEPT_AFTER_MS = 24 * 3_600_000;

// A function that is killed, step by step:
//
//   session + forget later |--- file 1 -- named --- file 2 -- named -- answer
//
// Nobody has the token before the answer, so nobody signs an incomplete session, and it is forgotten.

/** Creates a session for one signer, with the address of its page. */
export async function createSignatureSession(caller: Caller, request: CreateSessionRequest, nowMs: number) {
  checkReturnUrl(request.returnUrl, caller);
  const { id: securityContextId } = securityContext(request.securityContextId ?? PKI_BRAZIL);
  const signerCpf = requiredCpf(request.certificateRequirements ?? []);
  const uploads = request.documents ?? [];
  refuseTooMany(uploads.length);
  const id = randomUUID();
  const token = newSecret();
  const expiresAtMs = nowMs + TOKEN_VALID_MS;
  const keptUntilMs = expiresAtMs + KEPT_AFTER_MS;
  await signatureSessions.create(
    {
      id,
      application: caller.application,
      state: 'Pending',
      returnUrl: request.returnUrl,
      securityContextId,
      ignoreRevocationStatusUnknown: request.ignoreRevocationStatusUnknown ?? false,
      tokenHash: hashSecret(token),
      createdAtMs: nowMs,
      expiresAtMs,
      keptUntilMs,
      signerCpf,
      documents: [],
      signerSha256: null,
      failure: null,
    },
    { also: [taskMessage({ task: 'forget', sessionId: id }, keptUntilMs)] },
  );
  const access = { sessionId: id, token: undefined };
  const documents = [];
  for (const upload of uploads) documents.push(await addDocument(caller, access, upload, nowMs));
  return { sessionId: id, redirectUrl: pageUrlOf(id, token), token, documents };
}

/** The CPF that a session requires. Refuses a requirement that nobody would check. */
function requiredCpf(requirements: readonly CertificateRequirement[]): string | null {
  const [first, ...others] = requirements;
  if (!first) return null;
  const isOther = [first, ...others].find(({ type }) => type !== 'Cpf');
  if (isOther || others.length > 0)
    throw errors.refuse('OptionNotSupported', {
      option: 'certificateRequirements',
      value: isOther?.type ?? 'several',
    });
  const cpf = parseCpf(first.argument ?? '');
  if (!cpf)
    throw errors.refuse('InvalidRequest', undefined, {
      fields: [{ field: 'certificateRequirements.0.argument', message: 'is not a CPF' }],
    });
  return cpf;
}

// The fragment stays in the browser: no server, proxy or log receives the token.
const pageUrlOf = (id: string, token: string): string =>
  `${commonSettings['Http:PublicUrl']}/pki/signature-sessions/${id}#${token}`;
