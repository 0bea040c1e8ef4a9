import { randomUUID } from 'node:crypto';
import type { Caller } from '../../../../shared/access/caller.ts';
import { hashSecret, newSecret } from '../../../../shared/access/secrets.ts';
import { commonSettings } from '../../../../shared/settings/common.ts';
import { checkReturnUrl } from '../../domain/registered-addresses.ts';
import { PKI_BRAZIL, securityContext } from '../../domain/security-contexts.ts';
import { settings } from '../../settings.ts';
import { type ArrivingDocument, addDocument, refuseTooMany } from './add-document.ts';
import { signatureSessions } from './session.ts';
import { doing } from './tasks.ts';

export type Wanted = {
  readonly returnUrl: string;
  readonly securityContextId?: string | null | undefined;
  readonly ignoreRevocationStatusUnknown?: boolean | null | undefined;
  readonly documents?: readonly ArrivingDocument[] | null | undefined;
};

// What is left when the host ends the function, step by step:
//
//   session + forget later |--- file 1 -- named --- file 2 -- named -- answer
//
// Nobody has the token before the answer, so that a session cut short is one that nobody signs and that is forgotten.

/** A session for one person, and how they get to it. */
export async function createSignatureSession(wanted: Wanted, caller: Caller, nowMs: number) {
  checkReturnUrl(wanted.returnUrl, caller);
  const { id: securityContextId } = securityContext(wanted.securityContextId ?? PKI_BRAZIL);
  const arriving = wanted.documents ?? [];
  refuseTooMany(arriving.length);
  const id = randomUUID();
  const token = newSecret();
  const expiresAtMs = nowMs + settings['SignatureSessions:TokenValidFor'] * 1000;
  const keptUntilMs = expiresAtMs + settings['SignatureSessions:KeptFor'] * 1000;
  await signatureSessions.create(
    {
      id,
      application: caller.application,
      state: 'Pending',
      returnUrl: wanted.returnUrl,
      securityContextId,
      ignoreRevocationStatusUnknown: wanted.ignoreRevocationStatusUnknown ?? false,
      tokenHash: hashSecret(token),
      createdAtMs: nowMs,
      expiresAtMs,
      keptUntilMs,
      documents: [],
      signerSha256: null,
      failure: null,
    },
    { also: [doing({ task: 'forget', sessionId: id }, keptUntilMs)] },
  );
  const visitor = { application: caller.application, token: undefined };
  const documents = [];
  for (const document of arriving) documents.push(await addDocument(id, visitor, document, nowMs));
  return { sessionId: id, redirectUrl: pageOf(id, token), token, documents };
}

// Behind the `#` it stays in the browser: no server, proxy or log on the way is sent it.
const pageOf = (id: string, token: string): string =>
  `${commonSettings['Http:PublicUrl']}/pki/signature-sessions/${id}#${token}`;
