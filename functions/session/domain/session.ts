import { createHash } from 'node:crypto';
import { matchesSecret } from '../../../shared/access/secrets.ts';
import { collection, type Stored } from '../../../shared/store/collection.ts';
import { errors } from '../errors.ts';
import { settings } from '../settings.ts';
import { parseSessionId } from './session-id.ts';

/** What a session rests on: a certificate of the vault and its sealed key, or one at a workstation. */
export type Binding =
  | {
      readonly custody: 'vault';
      readonly sha256: string;
      /** Of the file that the PIN opened. */
      readonly fileHash: string;
      readonly sealedKey: string;
      readonly epoch: string;
    }
  | { readonly custody: 'workstation'; readonly sha256: string; readonly agentId: string };

/** The one session of a CPF. Creating another replaces it, because there is one item to write. */
export type Session = {
  readonly locator: string;
  readonly cpf: string;
  readonly secretHash: string;
  readonly binding: Binding;
  /** Each signing call grants this many seconds anew. */
  readonly windowSeconds: number;
  readonly expiresAtMs: number;
  /** Calls that are left of the Signature Allowance; null where the deployment set none at the time. */
  readonly allowanceLeft: number | null;
  /** Calls that have taken one and may yet give it back. Counted only under an allowance. */
  readonly callsUnderWay: number;
  /** Where the certificate names no e-mail address. */
  readonly email: string | null;
  readonly createdAtMs: number;
};

export const sessions = collection<Session, string>({
  service: 'session',
  name: 'session',
  id: (session) => session.locator,
  key: (locator) => ({ pk: `SESSION#${locator}`, sk: 'SESSION' }),
  indexed: (session) => ({ ttl: Math.ceil(session.expiresAtMs / 1000) }),
});

/** Names the present epoch in a session, without telling it. */
export const epochName = (): string =>
  createHash('sha256').update(settings['Sessions:Epoch']).digest('base64url').slice(0, 22);

/** A session with the half of its id that the store does not have. */
export type ActiveSession = Stored<Session> & { readonly secret: string };

/** The session that this id names, whether it is active or not. */
export async function findSession(id: string): Promise<ActiveSession | undefined> {
  const parts = parseSessionId(id);
  const found = parts && (await sessions.get(parts.locator));
  if (!found || !matchesSecret(found.secretHash, parts.secret)) return undefined;
  return { ...found, secret: parts.secret };
}

/**
 * The session that this id names, if it is active. Expired, deactivated, replaced, exhausted and stranded ones are
 * simply not there: no answer tells them apart.
 */
export async function findActiveSession(id: string, now = Date.now()): Promise<ActiveSession | undefined> {
  const found = await findSession(id);
  return found && isActive(found, now) ? found : undefined;
}

export const isActive = ({ expiresAtMs, allowanceLeft, binding }: Session, now: number): boolean =>
  expiresAtMs > now &&
  (allowanceLeft === null || allowanceLeft > 0) &&
  (binding.custody === 'workstation' || binding.epoch === epochName());

export async function requireActiveSession(id: string, now = Date.now()): Promise<ActiveSession> {
  const found = await findActiveSession(id, now);
  if (!found) throw errors.refuse('SESSION_EXPIRED');
  return found;
}
