import type { Caller } from '../../../../shared/access/caller.ts';
import { matchesSecret } from '../../../../shared/access/secrets.ts';
import type { Stored } from '../../../../shared/store/collection.ts';
import { retryOnConflict } from '../../../../shared/store/retry-on-conflict.ts';
import { transition } from '../../../../shared/store/state-machine.ts';
import { errors } from '../../errors.ts';
import {
  type SessionDocument,
  type SignatureSession,
  signatureSessionStates,
  signatureSessions,
} from './session.ts';

/** Access to a session: by the key of its application, by its token, or by both. */
export type SessionAccess = {
  readonly sessionId: string;
  readonly token: string | undefined;
};

/** Whether the signer calls: a browser has the token of the session and no key. */
export const isPerson = ({ application }: Caller): boolean => application === '';

// 256 bits as base64url.
const TOKEN = /^[A-Za-z0-9_-]{43}$/;

/** The session, for its application or for the holder of its token. A token that is sent must be right. */
export const findSession = (
  caller: Caller,
  { sessionId, token }: SessionAccess,
  nowMs: number,
): Promise<Stored<SignatureSession>> =>
  retryOnConflict(async () => {
    if (token !== undefined && !TOKEN.test(token)) throw errors.refuse('BadSignatureSessionToken');
    const session = await readSession(sessionId, nowMs);
    const isOwn = session && (isPerson(caller) || session.application === caller.application);
    if (!isOwn) throw errors.refuse('SignatureSessionNotFound', { sessionId });
    if (token !== undefined) checkToken(session, token, nowMs);
    return session;
  });

/** The session, for the signer alone: a key is not enough. */
export function findSessionOfSigner(
  caller: Caller,
  access: SessionAccess,
  nowMs: number,
): Promise<Stored<SignatureSession>> {
  if (access.token === undefined) throw errors.refuse('SignatureSessionTokenRequired');
  return findSession(caller, access, nowMs);
}

function checkToken({ tokenHash, expiresAtMs }: SignatureSession, token: string, nowMs: number): void {
  if (!matchesSecret(tokenHash, token)) throw errors.refuse('BadSignatureSessionToken');
  if (nowMs >= expiresAtMs) throw errors.refuse('ExpiredSignatureSessionToken');
}

/** The session as of now: expired where nobody signed in time. */
async function readSession(id: string, nowMs: number): Promise<Stored<SignatureSession> | undefined> {
  const found = await signatureSessions.get(id);
  if (!found || nowMs >= found.keptUntilMs) return undefined;
  const isOver = nowMs >= found.expiresAtMs && signatureSessionStates.accepts(found.state, 'expired');
  return isOver ? transition(signatureSessions, signatureSessionStates, found, 'expired') : found;
}

/** A document of the session. */
export function documentOf(
  { documents }: Pick<SignatureSession, 'documents'>,
  documentId: string,
): SessionDocument {
  const found = documents.find(({ id }) => id === documentId);
  if (!found) throw errors.refuse('DocumentNotFound', { documentId });
  return found;
}

/** Refuses a step that needs a session which still waits for its signer. */
export function refuseUnlessPending({ state }: SignatureSession): void {
  if (signatureSessionStates.accepts(state, 'signed')) return;
  const isProcessing = signatureSessionStates.accepts(state, 'filesMade');
  throw errors.refuse(isProcessing ? 'BackgroundProcessing' : 'BadSignatureSessionOperation', {
    status: state,
  });
}
