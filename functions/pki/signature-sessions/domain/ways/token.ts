import type { Caller } from '../../../../../shared/access/caller.ts';
import type { Deadline } from '../../../../../shared/async/deadline.ts';
import type { Certificate } from '../../../../../shared/pki/certificate/certificate.ts';
import { codeOf } from '../../../../../shared/ways/code.ts';
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

type Started = { readonly document: SessionDocument; readonly state: string; readonly hash: string };

/** Starts the signature of every document, and puts one question for all of them to the holder. */
export async function askForToken(
  caller: Caller,
  { documentIds, sha256, ...access }: SigningRequest & { readonly sha256: string },
  deadline: Deadline,
): Promise<TokenAsked> {
  const { session, cpf } = await requireHolder(caller, access, deadline.now());
  const documents = requireShown(session, documentIds);
  const none = { question: '', documents: [], endsAt: new Date(deadline.now()).toISOString(), errors: [] };
  const found = await workstations.find(cpf, deadline);
  const certificate = found.certificates.find((each) => each.sha256 === sha256);
  if (!certificate) return { ...none, state: found.state === 'failed' ? 'failed' : 'offline' };
  const started: Started[] = [];
  for (const document of documents) {
    const result = await start(caller, access, document, certificate, deadline.now());
    if (!result.success) return { ...none, state: 'refused', errors: result.validationResults.errors };
    started.push({ document, state: result.state, hash: result.toSignHash.value });
  }
  const shown = started.map(({ document: { name }, hash }) => ({ name, hash }));
  const request = { subject: session.id, cpf, sha256, requester: session.application, documents: shown };
  const asked = await workstations.ask(request, deadline);
  if (asked.state !== 'asked') return { ...none, state: asked.state };
  return {
    state: 'asked',
    question: handleOf(asked.questionId, started),
    documents: shown.map(({ name, hash }) => ({ name, code: codeOf(Buffer.from(hash, 'base64')) })),
    endsAt: new Date(asked.endsAtMs).toISOString(),
    errors: [],
  };
}

const start = (
  caller: Caller,
  access: SessionAccess,
  { id: documentId }: SessionDocument,
  { der }: Certificate,
  nowMs: number,
) => startSignature(caller, { ...access, documentId, certificate: der.toString('base64') }, nowMs);

// The page keeps what completes the signatures, as it does where it signs itself.
const handleOf = (questionId: string, started: readonly Started[]): string =>
  [questionId, ...started.map(({ document, state }) => `${document.id}/${state}`)].join('.');

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
