import { servicePath } from '../../../../../shared/hub/visit.ts';
import { errors } from '../../../errors.ts';
import { refuseUnlessPending, type SessionAccess } from '../find-session.ts';
import { type SessionDocument, type SignatureSession, sessionDocumentStates } from '../session.ts';

/** A request of the page, which names the documents that the person was shown. */
export type SigningRequest = SessionAccess & { readonly documentIds: readonly string[] };

/** The documents that still wait for their signature. Refused where the person was not shown all of the session. */
export function requireShown(
  session: SignatureSession,
  documentIds: readonly string[],
): readonly [SessionDocument, ...SessionDocument[]] {
  refuseUnlessPending(session);
  const { documents, state: status } = session;
  const [first, ...others] = documents.filter(({ state }) =>
    sessionDocumentStates.accepts(state, 'signatureGiven'),
  );
  if (!first || !documents.every(({ id }) => documentIds.includes(id)))
    throw errors.refuse('BadSignatureSessionOperation', { status });
  return [first, ...others];
}

/** The path of the session's page. The token is behind the `#`, as in the address that its person was given. */
export const pagePathOf = ({ sessionId, token = '' }: SessionAccess): string =>
  `${servicePath('pki')}/signature-sessions/${sessionId}#${token}`;
