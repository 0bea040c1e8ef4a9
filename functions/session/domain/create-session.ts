import type { Caller } from '../../../shared/access/caller.ts';
import { hashSecret } from '../../../shared/access/secrets.ts';
import type { Cpf } from '../../../shared/taxpayer/cpf.ts';
import { settings } from '../settings.ts';
import { audit } from './audit.ts';
import { type ConfirmedCertificate, confirmPin } from './confirm-pin.ts';
import { beginAttempt } from './pin-attempts.ts';
import {
  type Binding,
  epochName,
  locatorOf,
  newSessionId,
  parseSessionId,
  type Session,
  sealPrivateKey,
  sessions,
} from './session.ts';
import { simulateOpening } from './vault/open.ts';

export type CreateSessionRequest = {
  readonly cpf: Cpf;
  readonly pin: string;
  readonly sessionDuration?: number | undefined;
  readonly email?: string | undefined;
  readonly correlationId: string;
  /** A prompt at a workstation ends before it. */
  readonly deadlineAtMs: number;
};

export type CreatedSession = {
  readonly sessionId: string;
  readonly cpf: string;
  readonly expiresIn: number;
  readonly expiresAt: string;
};

/** Opens a session for a CPF, bound to the certificate that confirms the PIN. It replaces the CPF's earlier session. */
export const createSession = (
  caller: Caller,
  request: CreateSessionRequest,
  now: () => number,
): Promise<CreatedSession> => {
  const { cpf, pin, correlationId, deadlineAtMs } = request;
  return audit({ caller, correlationId, operation: 'session.create', cpf }, now, async ({ commit }) => {
    const attempt = await beginAttempt(cpf, now).catch(async (refusal: unknown) => {
      await simulateOpening(pin);
      throw refusal;
    });
    try {
      const certificate = await confirmPin(caller, { cpf, pin, deadline: { atMs: deadlineAtMs, now } });
      // The window begins now: a prompt may have taken a minute.
      const { sessionId, session } = newSession(request, certificate, now());
      await commit([sessions.putting(session), attempt.ending()]);
      const { windowSeconds, expiresAtMs } = session;
      return { sessionId, cpf, expiresIn: windowSeconds, expiresAt: new Date(expiresAtMs).toISOString() };
    } catch (error) {
      await attempt.end(isWrongPin(error));
      throw error;
    }
  });
};

const isWrongPin = (error: unknown): boolean => (error as { code?: unknown }).code === 'INVALID_PIN';

function newSession(
  { cpf, sessionDuration, email }: CreateSessionRequest,
  certificate: ConfirmedCertificate,
  nowMs: number,
): { readonly sessionId: string; readonly session: Session } {
  const sessionId = newSessionId(cpf);
  const { secret = '' } = parseSessionId(sessionId) ?? {};
  const windowSeconds = Math.min(
    sessionDuration ?? settings['Sessions:DefaultDuration'],
    settings['Sessions:MaxDuration'],
  );
  const session: Session = {
    locator: locatorOf(cpf),
    cpf,
    secretHash: hashSecret(secret),
    binding: bindingTo(certificate, secret),
    windowSeconds,
    expiresAtMs: nowMs + windowSeconds * 1000,
    allowanceLeft: settings['Sessions:SignatureAllowance'] ?? null,
    callsUnderWay: 0,
    email: email ?? null,
    createdAtMs: nowMs,
  };
  return { sessionId, session };
}

const bindingTo = (certificate: ConfirmedCertificate, secret: string): Binding => {
  if (certificate.custody === 'workstation') return certificate;
  const { custody, file, privateKey } = certificate;
  return {
    custody,
    sha256: file.sha256,
    fileHash: file.fileHash,
    sealedKey: sealPrivateKey(privateKey, secret),
    epoch: epochName(),
  };
};
