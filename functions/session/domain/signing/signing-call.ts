import type { Caller } from '../../../../shared/access/caller.ts';
import { type Logger, logger } from '../../../../shared/log/logger.ts';
import type { Certificate } from '../../../../shared/pki/certificate/certificate.ts';
import { displayName } from '../../../../shared/pki/findings/display.ts';
import { icpBrasilIdentity } from '../../../../shared/pki/icp-brasil/icp-brasil.ts';
import { errors } from '../../errors.ts';
import type { DocumentOutcome } from '../audit.ts';
import type { CallTimes, Deadline } from '../deadline.ts';
import { signingCertificate } from '../held-certificates.ts';
import type { ActiveSession, Session } from '../session.ts';
import type { Signer } from './platform.ts';
import { openSessionKey, type SessionKey } from './session-key.ts';
import { type SessionUse, settleUse, takeAllowance } from './session-use.ts';

/** The part of a request that both signing operations share. */
export type SigningRequest = CallTimes & { readonly correlationId: string };

type CallContext = {
  readonly correlationId: string;
  /** Adds a document to the audit entry of the call. */
  readonly noteOutcome: (document: DocumentOutcome) => void;
  readonly deadline: Deadline;
};

/** The state that all documents of one signing call share. */
export type SigningCall = CallContext & {
  readonly caller: Caller;
  /** Every line carries the call's correlation id. */
  readonly log: Logger;
  readonly certificate: Certificate;
  readonly signer: Signer;
  readonly key: SessionKey;
  readonly markKeyUsed: () => void;
  /** A document of this call is at the platform. */
  readonly markAccepted: () => void;
  /** Must be called once, however the call ends. */
  readonly settle: () => Promise<void>;
};

export const logOf = (correlationId: string): Logger => logger('session').with({ correlationId });

/** Begins one signing call under a session. A batch is one call: it takes one signature of the allowance. */
export async function beginSigningCall(
  caller: Caller,
  active: ActiveSession,
  context: CallContext,
): Promise<SigningCall> {
  const { deadline, correlationId } = context;
  const log = logOf(correlationId);
  const certificate = await signingCertificate(active, deadline.now());
  const signer = signerOf(certificate, active);
  const session = await takeAllowance(active, deadline);
  const use: SessionUse = { isAccepted: false, isKeyUsed: false, isPinLost: false };
  const mark = (what: keyof SessionUse) => () => {
    use[what] = true;
  };
  const settle = () => settleUse(session, use, { log, now: deadline.now });
  const keyOptions = { deadline, onPinLost: mark('isPinLost') };
  const key = await openSessionKey(session, certificate, keyOptions).catch(async (error: unknown) => {
    await settle();
    throw error;
  });
  const marks = { markKeyUsed: mark('isKeyUsed'), markAccepted: mark('isAccepted') };
  return { ...context, ...marks, caller, log, certificate, signer, key, settle };
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
