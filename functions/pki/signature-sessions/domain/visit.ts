import { matchesSecret } from '../../../../shared/access/secrets.ts';
import type { Stored } from '../../../../shared/store/collection.ts';
import { retryOnConflict } from '../../../../shared/store/retry-on-conflict.ts';
import { transition } from '../../../../shared/store/state-machine.ts';
import { errors } from '../../errors.ts';
import { type SessionDocument, type SignatureSession, signatureSessions } from './session.ts';
import { signatureSessionStates } from './session-states.ts';

/** Who comes: an application by its name, the person by the session's token, or both. */
export type Visitor = {
  /** Empty when no key came: the token alone is looked at then. */
  readonly application: string;
  readonly token: string | undefined;
};

// 256 bits as base64url. What is not of this form was never given out.
const TOKEN = /^[A-Za-z0-9_-]{43}$/;

/** The session, for an application that made it or a person who has its token. A token that came must be right. */
export const visitedSession = (
  id: string,
  { application, token }: Visitor,
  nowMs: number,
): Promise<Stored<SignatureSession>> =>
  retryOnConflict(async () => {
    if (token !== undefined && !TOKEN.test(token)) throw errors.refuse('BadSignatureSessionToken');
    const session = await readSession(id, nowMs);
    const isOpen = session && (application === '' || session.application === application);
    if (!isOpen) throw errors.refuse('SignatureSessionNotFound', { sessionId: id });
    if (token !== undefined) checkToken(session, token, nowMs);
    return session;
  });

/** The same for what only the person does: a key alone is not enough. */
export function sessionOfSigner(
  id: string,
  visitor: Visitor,
  nowMs: number,
): Promise<Stored<SignatureSession>> {
  if (visitor.token === undefined) throw errors.refuse('SignatureSessionTokenRequired');
  return visitedSession(id, visitor, nowMs);
}

function checkToken({ tokenHash, expiresAtMs }: SignatureSession, token: string, nowMs: number): void {
  if (!matchesSecret(tokenHash, token)) throw errors.refuse('BadSignatureSessionToken');
  if (nowMs >= expiresAtMs) throw errors.refuse('ExpiredSignatureSessionToken');
}

/** The session as it stands now: one that nobody signed in its time has ended. */
async function readSession(id: string, nowMs: number): Promise<Stored<SignatureSession> | undefined> {
  const found = await signatureSessions.get(id);
  if (!found || nowMs >= found.keptUntilMs) return undefined;
  const isOver = nowMs >= found.expiresAtMs && signatureSessionStates.allows(found.state, 'expired');
  return isOver ? transition(signatureSessions, signatureSessionStates, found, 'expired') : found;
}

/** One of the session's documents. */
export function documentOf(
  { documents }: Pick<SignatureSession, 'documents'>,
  documentId: string,
): SessionDocument {
  const found = documents.find(({ id }) => id === documentId);
  if (!found) throw errors.refuse('DocumentNotFound', { documentId });
  return found;
}

/** Refuses what a person may only do while the session waits for them. */
export function refuseUnlessPending({ state }: SignatureSession): void {
  if (state === 'Processing') throw errors.refuse('BackgroundProcessing', { status: state });
  if (state !== 'Pending') throw errors.refuse('BadSignatureSessionOperation', { status: state });
}
