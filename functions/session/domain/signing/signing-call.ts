import type { Caller } from '../../../../shared/access/caller.ts';
import { type Logger, logger } from '../../../../shared/log/logger.ts';
import type { Certificate } from '../../../../shared/pki/certificate/certificate.ts';
import { displayName } from '../../../../shared/pki/findings/display.ts';
import { icpBrasilIdentity } from '../../../../shared/pki/icp-brasil/icp-brasil.ts';
import { errors } from '../../errors.ts';
import type { CallRecord } from '../audit.ts';
import type { CallTimes, Deadline } from '../deadline.ts';
import { signingCertificate } from '../held-certificates.ts';
import type { ActiveSession, Session } from '../session.ts';
import { dispatches, type StoredDispatch } from './dispatch.ts';
import type { Signer } from './platform.ts';
import { openSessionKey, type SessionKey } from './session-key.ts';
import { type SessionUse, settleUse, takeAllowance } from './session-use.ts';

/** The part of a request that both signing operations share. */
export type SigningRequest = CallTimes & { readonly correlationId: string };

type CallContext = {
  readonly correlationId: string;
  readonly deadline: Deadline;
};

/** The state that all documents of one signing call share. */
export type SigningCall = CallContext & {
  readonly noteOutcome: CallRecord['noteOutcome'];
  readonly caller: Caller;
  /** Every line carries the call's correlation id. */
  readonly log: Logger;
  readonly certificate: Certificate;
  readonly signer: Signer;
  readonly key: SessionKey;
  readonly markKeyUsed: () => void;
  /** A document of this call is at the platform. */
  readonly markAccepted: () => void;
  /** Nothing of a document is left to do. Its dispatch is deleted when the call ends. */
  readonly closeDispatch: (dispatch: StoredDispatch) => void;
  /** The call did not learn how the document ended. The sweeper asks. */
  readonly leaveDispatch: (dispatch: StoredDispatch, documentId: string) => void;
  /** Must be called once, however the call ends. */
  readonly settle: () => void;
};

// Making one takes longer than a line of it.
const sessionLog = logger('session');

export const logOf = (correlationId: string): Logger => sessionLog.with({ correlationId });

/** Begins one signing call under a session. A batch is one call: it takes one signature of the allowance. */
export async function beginSigningCall(
  caller: Caller,
  active: ActiveSession,
  { record, ...context }: CallContext & { readonly record: CallRecord },
): Promise<SigningCall> {
  const { deadline, correlationId } = context;
  const log = logOf(correlationId);
  const bound = await signingCertificate(active, deadline.now());
  const { certificate } = bound;
  const signer = signerOf(certificate, active);
  const session = await takeAllowance(active, deadline);
  const use: SessionUse = { isAccepted: false, isKeyUsed: false, isPinLost: false };
  const mark = (what: keyof SessionUse) => () => {
    use[what] = true;
  };
  const settle = () => settleUse(session, use, { ...record, log, now: deadline.now });
  const keyOptions = { deadline, onPinLost: mark('isPinLost') };
  const key = await openSessionKey(session, bound, keyOptions).catch((error: unknown) => {
    settle();
    throw error;
  });
  return {
    ...context,
    ...{ caller, log, certificate, signer, key, settle },
    noteOutcome: record.noteOutcome,
    markKeyUsed: mark('isKeyUsed'),
    markAccepted: mark('isAccepted'),
    closeDispatch: (dispatch) => record.addWrite(dispatches.deleting(dispatch)),
    leaveDispatch: (dispatch, documentId) => record.addWrite(dispatches.changing(dispatch, { documentId })),
  };
}

/** The signer's identity comes from the certificate. The session supplies an e-mail address where it has none. */
function signerOf(certificate: Certificate, { email: fallback }: Pick<Session, 'email'>): Signer {
  const identity = icpBrasilIdentity(certificate);
  const name = identity.personName ?? displayName(certificate);
  const email = identity.email ?? fallback;
  if (!identity.cpf) throw errors.refuse('CERT_INCOMPLETE_IDENTITY', { field: 'cpf' });
  if (!name) throw errors.refuse('CERT_INCOMPLETE_IDENTITY', { field: 'name' });
  if (!email) throw errors.refuse('CERT_INCOMPLETE_IDENTITY', { field: 'email' });
  return { name, cpf: identity.cpf, email };
}
