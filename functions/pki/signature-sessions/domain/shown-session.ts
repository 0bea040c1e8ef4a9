import { stillRegistered } from '../../domain/registered-addresses.ts';
import type { SessionDocument, SignatureSession } from './session.ts';

/** As the interface shows it. */
export async function shownSession(session: SignatureSession) {
  const { application, returnUrl } = session;
  return {
    sessionId: session.id,
    status: session.state,
    returnUrl: (await stillRegistered(application, { returnUrl, trustedOrigin: null })).returnUrl,
    securityContextId: session.securityContextId,
    createdAt: new Date(session.createdAtMs).toISOString(),
    expiresAt: new Date(session.expiresAtMs).toISOString(),
    failure: session.failure,
    documents: session.documents.map(shownDocument),
  };
}

export const shownDocument = ({ id, name, contentType, format, state, original }: SessionDocument) => ({
  documentId: id,
  name,
  contentType,
  size: original.size,
  signatureFormat: format,
  status: state,
});
