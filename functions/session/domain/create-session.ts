import type { KeyObject } from 'node:crypto';
import { hashSecret } from '../../../shared/access/secrets.ts';
import type { Cpf } from '../../../shared/taxpayer/cpf.ts';
import { errors } from '../errors.ts';
import { settings } from '../settings.ts';
import { type Actor, audit } from './audit.ts';
import { type ActiveCertificates, activeCertificates } from './held-certificates.ts';
import { beginAttempt } from './pin-attempts.ts';
import { sealPrivateKey } from './sealed-key.ts';
import { type Binding, epochName, type Session, sessions } from './session.ts';
import { locatorOf, newSessionId, parseSessionId } from './session-id.ts';
import { openVault, simulateOpening } from './vault/open.ts';
import { fileHashOf, type VaultCertificate } from './vault/vault.ts';
import { comparePin } from './workstations/offered-pin.ts';
import { promptPin } from './workstations/prompt-pin.ts';

export type CreateSessionRequest = {
  readonly cpf: Cpf;
  readonly pin: string;
  readonly sessionDuration?: number | undefined;
  readonly email?: string | undefined;
};

export type CreatedSession = {
  readonly sessionId: string;
  readonly cpf: string;
  readonly expiresIn: number;
  readonly expiresAt: string;
};

/** Opens a session for a CPF, bound to the certificate that confirms the PIN. It replaces the one before it. */
export const createSession = (
  wish: CreateSessionRequest,
  actor: Actor,
  deadlineAtMs = Number.POSITIVE_INFINITY,
  nowMs = Date.now(),
): Promise<CreatedSession> =>
  audit({ actor, operation: 'session.create', cpf: wish.cpf }, async () => {
    const attempt = await beginAttempt(wish.cpf, nowMs).catch(async (refusal: unknown) => {
      await simulateOpening(wish.pin);
      throw refusal;
    });
    try {
      const confirmed = await confirm(wish, { actor, deadlineAtMs, nowMs });
      await attempt.end(false);
      return await begin(wish, confirmed);
    } catch (error) {
      await attempt.end(isWrongPin(error));
      throw error;
    }
  });

const isWrongPin = (error: unknown): boolean => (error as { code?: unknown }).code === 'INVALID_PIN';

type Confirmed =
  | { readonly custody: 'vault'; readonly file: VaultCertificate; readonly privateKey: KeyObject }
  | { readonly custody: 'workstation'; readonly sha256: string; readonly agentId: string };

type Call = { readonly actor: Actor; readonly deadlineAtMs: number };

/** The certificate that confirms the PIN: the vault's are tried first, then the workstations' are asked. */
async function confirm(
  { cpf, pin }: CreateSessionRequest,
  { nowMs, ...call }: Call & { readonly nowMs: number },
): Promise<Confirmed> {
  const held = await activeCertificates(cpf, nowMs).catch(async (refusal: unknown) => {
    await simulateOpening(pin);
    throw refusal;
  });
  let isCompared = false;
  for (const certificate of held.inVault) {
    const opened = await openVault(certificate, pin);
    if (opened.kind === 'opened')
      return { custody: 'vault', file: certificate, privateKey: opened.privateKey };
    if (opened.kind === 'wrong-pin') isCompared = true;
  }
  return atWorkstation({ ...call, cpf, pin, held, isCompared });
}

type Asked = Call & {
  readonly cpf: Cpf;
  readonly pin: string;
  readonly held: ActiveCertificates;
  /** A certificate of the vault has said that the PIN is wrong. */
  readonly isCompared: boolean;
};

// What answering takes once the holder's time is over.
const ANSWER_MS = 2_000;

async function atWorkstation(asked: Asked): Promise<Confirmed> {
  const { cpf, pin, held, actor, deadlineAtMs, isCompared } = asked;
  const among = held.atWorkstations;
  if (among.size === 0) throw errors.refuse(isCompared ? 'INVALID_PIN' : 'PIN_NOT_AVAILABLE');
  const compared = await comparePin({ cpf, pin, among });
  const answer =
    compared.kind === 'not-cached'
      ? await promptPin({
          cpf,
          pin,
          among,
          application: actor.application,
          deadlineAtMs: Math.min(
            Date.now() + settings['Sessions:PinPromptTimeout'] * 1000,
            deadlineAtMs - ANSWER_MS,
          ),
        })
      : compared;
  if (answer.kind === 'matched')
    return { custody: 'workstation', sha256: answer.sha256, agentId: answer.agentId };
  if (isCompared || answer.kind === 'different') throw errors.refuse('INVALID_PIN');
  throw answer.kind === 'offline' && held.inVault.length === 0
    ? errors.refuse('WORKSTATION_OFFLINE')
    : errors.refuse('PIN_NOT_AVAILABLE', { reason: answer.kind });
}

async function begin(
  { cpf, sessionDuration, email }: CreateSessionRequest,
  confirmed: Confirmed,
): Promise<CreatedSession> {
  const sessionId = newSessionId(cpf);
  const { secret = '' } = parseSessionId(sessionId) ?? {};
  const windowSeconds = Math.min(
    sessionDuration ?? settings['Sessions:DefaultDuration'],
    settings['Sessions:MaxDuration'],
  );
  // The window begins now: a prompt may have taken a minute.
  const nowMs = Date.now();
  const expiresAtMs = nowMs + windowSeconds * 1000;
  const session: Session = {
    locator: locatorOf(cpf),
    cpf,
    secretHash: hashSecret(secret),
    binding: bindingTo(confirmed, secret),
    windowSeconds,
    expiresAtMs,
    allowanceLeft: settings['Sessions:SignatureAllowance'] ?? null,
    callsUnderWay: 0,
    email: email ?? null,
    createdAtMs: nowMs,
  };
  await sessions.put(session);
  return { sessionId, cpf, expiresIn: windowSeconds, expiresAt: new Date(expiresAtMs).toISOString() };
}

const bindingTo = (confirmed: Confirmed, secret: string): Binding => {
  if (confirmed.custody === 'workstation') return confirmed;
  const { custody, file, privateKey } = confirmed;
  return {
    custody,
    sha256: file.sha256,
    fileHash: fileHashOf(file),
    sealedKey: sealPrivateKey(privateKey, secret),
    epoch: epochName(),
  };
};
