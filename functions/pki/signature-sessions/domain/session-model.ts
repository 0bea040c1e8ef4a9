import { registeredAddresses } from '../../domain/registered-addresses.ts';
import type { SessionDocument, SignatureSession } from './session.ts';

/** The session in the form of the contract. */
export async function sessionModel(session: SignatureSession) {
  const { application, returnUrl } = session;
  return {
    sessionId: session.id,
    application,
    status: session.state,
    returnUrl: (await registeredAddresses(application, { returnUrl, trustedOrigin: null })).returnUrl,
    securityContextId: session.securityContextId,
    createdAt: new Date(session.createdAtMs).toISOString(),
    expiresAt: new Date(session.expiresAtMs).toISOString(),
    failure: session.failure,
    documents: session.documents.map(documentModel),
  };
}

export const documentModel = ({ id, name, contentType, format, state, original }: SessionDocument) => ({
  documentId: id,
  name,
  contentType,
  size: original.size,
  signatureFormat: format,
  status: state,
});
