import type { Caller } from '../../../../../shared/access/caller.ts';
import type { Deadline } from '../../../../../shared/async/deadline.ts';
import type { Certificate } from '../../../../../shared/pki/certificate/certificate.ts';
import { askHolder, type StartedDocument } from '../../../../../shared/ways/ask-holder.ts';
import type { TokenAsked } from '../../../../../shared/ways/contract.ts';
import { workstationsOf } from '../../../../../shared/workstation/client.ts';
import { errors } from '../../../errors.ts';
import { settings } from '../../../settings.ts';
import { completeSignature } from '../complete-signature.ts';
import { findSessionOfSigner, type SessionAccess } from '../find-session.ts';
import type { SessionDocument } from '../session.ts';
import { startSignature } from '../start-signature.ts';
import { requireShown, type SigningRequest } from './shown-documents.ts';

const workstations = workstationsOf('pki', settings);

/** The session of a signer whose CPF it names. A workstation is found by nothing else. */
async function requireHolder(caller: Caller, access: SessionAccess, nowMs: number) {
  const session = await findSessionOfSigner(caller, access, nowMs);
  const { signerCpf: cpf = null } = session;
  if (!workstations.isOffered() || cpf === null) throw errors.refuse('WayNotOffered');
  return { session, cpf };
}

/** The certificates of the signer at workstations that are online. */
export async function lookForToken(caller: Caller, access: SessionAccess, deadline: Deadline) {
  const { cpf } = await requireHolder(caller, access, deadline.now());
  return workstations.find(cpf, deadline);
}

/** Starts the signature of every document, and puts one question for all of them to the holder. */
export async function askForToken(
  caller: Caller,
  { documentIds, sha256, ...access }: SigningRequest & { readonly sha256: string },
  deadline: Deadline,
): Promise<TokenAsked> {
  const { session, cpf } = await requireHolder(caller, access, deadline.now());
  const documents = requireShown(session, documentIds);
  const start = async (certificate: Certificate) => {
    const started: StartedDocument[] = [];
    for (const document of documents) {
      const result = await startOne(caller, access, document, certificate, deadline.now());
      if (!result.success) return result.validationResults;
      const { state, toSignHash } = result;
      started.push({ name: document.name, hash: toSignHash.value, handle: `${document.id}/${state}` });
    }
    return started;
  };
  const request = { subject: session.id, cpf, sha256, requester: session.application, start };
  return askHolder(workstations, request, deadline);
}

const startOne = (
  caller: Caller,
  access: SessionAccess,
  { id: documentId }: SessionDocument,
  { der }: Certificate,
  nowMs: number,
) => startSignature(caller, { ...access, documentId, certificate: der.toString('base64') }, nowMs);

/** Waits some seconds for the holder's answer, and completes the signatures with it. */
export async function awaitToken(
  caller: Caller,
  { question, ...access }: SessionAccess & { readonly question: string },
  deadline: Deadline,
) {
  const session = await findSessionOfSigner(caller, access, deadline.now());
  const [questionId = '', ...parts] = question.split('.');
  const { state, signatures } = await workstations.answerTo(session.id, questionId, deadline);
  if (state !== 'signed') return { state, left: parts.length, errors: [] };
  for (const [at, part] of parts.entries()) {
    const [documentId = '', started = ''] = part.split('/');
    const value = { documentId, state: started, signature: signatures[at] ?? '' };
    const custody = 'workstation' as const;
    const completed = await completeSignature(caller, { ...access, ...value, custody }, deadline.now());
    if (!completed.success)
      return {
        state: 'refused' as const,
        left: parts.length - at,
        errors: completed.validationResults.errors,
      };
  }
  return { state: 'signed' as const, left: 0, errors: [] };
}
