import { randomUUID } from 'node:crypto';
import type * as z from 'zod';
import type { Caller } from '../../../../shared/access/caller.ts';
import { hashSecret, newSecret } from '../../../../shared/access/secrets.ts';
import { commonSettings } from '../../../../shared/settings/common.ts';
import { checkReturnUrl } from '../../domain/registered-addresses.ts';
import { PKI_BRAZIL, securityContext } from '../../domain/security-contexts.ts';
import { taskMessage } from '../../domain/tasks.ts';
import { keepVisual, receiveVisual } from '../../pdf/domain/visual.ts';
import type { CreateSignatureSessionRequest } from '../contract/sessions.ts';
import { addDocument } from './add-document.ts';
import { downloadMsOf, openUpload } from './open-upload.ts';
import { requirementsIn } from './requirements.ts';
import { sessionFolder, signatureSessions } from './session.ts';
import { refuseTooMany, refuseUnfit } from './session-limits.ts';

type Request = z.output<typeof CreateSignatureSessionRequest>;

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
export async function createSignatureSession(caller: Caller, request: Request, nowMs: number) {
  const returnUrl = request.returnUrl || null;
  if (returnUrl !== null) checkReturnUrl(returnUrl, caller);
  const { id: securityContextId } = securityContext(request.securityContextId || PKI_BRAZIL);
  const requirements = requirementsIn(request.certificateRequirements ?? []);
  const given = request.documents ?? [];
  refuseTooMany(given.length);
  const documentMetadata = request.documentMetadata ?? {};
  refuseUnfit({ documents: [], documentMetadata });
  const downloadMs = downloadMsOf(request, given);
  const visual = await receiveVisual(caller, request.pdfSignatureOptions, nowMs, downloadMs);
  const id = randomUUID();
  const token = newSecret();
  const expiresAtMs = nowMs + TOKEN_VALID_MS;
  const keptUntilMs = expiresAtMs + KEPT_AFTER_MS;
  let session = await signatureSessions.create(
    {
      id,
      application: caller.application,
      state: 'Pending',
      returnUrl,
      securityContextId,
      ignoreRevocationStatusUnknown: request.ignoreRevocationStatusUnknown ?? false,
      tokenHash: hashSecret(token),
      createdAtMs: nowMs,
      expiresAtMs,
      keptUntilMs,
      ...requirements,
      callbackArgument: request.callbackArgument ?? null,
      inBackground: request.enableBackgroundProcessing ?? false,
      disableDownloads: request.disableDownloads ?? false,
      documentMetadata,
      isDetached: request.cmsSignatureOptions?.detached ?? false,
      hasVisual: visual !== undefined,
      takesFiles: given.length === 0,
      documents: [],
      signerSha256: null,
      signer: null,
      failure: null,
    },
    { also: [taskMessage({ task: 'forget', sessionId: id }, keptUntilMs)] },
  );
  if (visual) await keepVisual(sessionFolder(id), visual);
  const access = { sessionId: id, token: undefined };
  for (const document of given) {
    const upload = await openUpload(caller, document, nowMs, downloadMs);
    session = await addDocument(caller, access, upload, nowMs);
  }
  return { session, token, redirectUrl: pageUrlOf(id, token) };
}

// The fragment stays in the browser: no server, proxy or log receives the token.
const pageUrlOf = (id: string, token: string): string =>
  `${commonSettings['Http:PublicUrl']}/pki/signature-sessions/${id}#${token}`;
