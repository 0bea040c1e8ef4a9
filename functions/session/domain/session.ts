import { createHash, createPrivateKey, type KeyObject } from 'node:crypto';
import { matchesSecret, newSecret } from '../../../shared/access/secrets.ts';
import { type SealKey, seal, unseal } from '../../../shared/keyring/seal.ts';
import { collection, type Stored } from '../../../shared/store/collection.ts';
import { errors } from '../errors.ts';
import { settings } from '../settings.ts';

/** The certificate of a session: one of the vault with its sealed key, or one at a workstation. */
export type Binding =
  | {
      readonly custody: 'vault';
      readonly sha256: string;
      /** The hash of the file that the PIN opened. */
      readonly fileHash: string;
      readonly sealedKey: string;
      readonly epoch: string;
    }
  | { readonly custody: 'workstation'; readonly sha256: string; readonly agentId: string };

/** The one session of a CPF. A second creation replaces it, because both write the same item. */
export type Session = {
  readonly locator: string;
  readonly cpf: string;
  readonly secretHash: string;
  readonly binding: Binding;
  /** Every accepted signing call renews this window. */
  readonly windowSeconds: number;
  readonly expiresAtMs: number;
  /** Calls left of the Signature Allowance; null where the deployment had none when the session was created. */
  readonly allowanceLeft: number | null;
  /** Calls that have taken a signature and may give it back. Counted only under an allowance. */
  readonly callsUnderWay: number;
  /** Used where the certificate names no e-mail address. */
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

/** A session's id: a locator and a secret. Anyone who has the id can use the session. */
export type SessionId = string & { readonly __brand: 'SessionId' };

/** `locator` finds the item. The store keeps only a hash of `secret`. */
export type SessionIdParts = { readonly locator: string; readonly secret: string };

const LOCATOR_CHARACTERS = 22; // 128 bits: no two CPFs collide
const SECRET_CHARACTERS = 43; // 256 bits: not guessable
const SHAPE = new RegExp(`^([\\w-]{${LOCATOR_CHARACTERS}})([\\w-]{${SECRET_CHARACTERS}})$`);

/** The key of a CPF's one session. It is no secret: whoever has the id knows the CPF. */
export const locatorOf = (cpf: string): string =>
  createHash('sha256').update(`session:${cpf}`).digest('base64url').slice(0, LOCATOR_CHARACTERS);

export const newSessionId = (cpf: string): SessionId => `${locatorOf(cpf)}${newSecret()}` as SessionId;

/** The parts of an id that a caller sent, or nothing where it does not have the shape of one. */
export function parseSessionId(text: string): SessionIdParts | undefined {
  const [, locator, secret] = SHAPE.exec(text) ?? [];
  return locator && secret ? { locator, secret } : undefined;
}

export const sessionIdOf = ({ locator, secret }: SessionIdParts): SessionId =>
  `${locator}${secret}` as SessionId;

/** A session with the half of its id that the store does not have. */
export type ActiveSession = Stored<Session> & { readonly secret: string };

/** The session of this id, active or not. */
export async function findSession(id: string): Promise<ActiveSession | undefined> {
  const parts = parseSessionId(id);
  const found = parts && (await sessions.get(parts.locator));
  if (!found || !matchesSecret(found.secretHash, parts.secret)) return undefined;
  return { ...found, secret: parts.secret };
}

/**
 * The session of this id, if it is active. Expired, deactivated, replaced, exhausted and stranded sessions are all
 * absent: no answer tells one from another.
 */
export async function findActiveSession(id: string, nowMs: number): Promise<ActiveSession | undefined> {
  const found = await findSession(id);
  return found && isActive(found, nowMs) ? found : undefined;
}

export const isActive = ({ expiresAtMs, allowanceLeft, binding }: Session, nowMs: number): boolean =>
  expiresAtMs > nowMs &&
  (allowanceLeft === null || allowanceLeft > 0) &&
  (binding.custody === 'workstation' || binding.epoch === epochName());

export async function requireActiveSession(id: string, nowMs: number): Promise<ActiveSession> {
  const found = await findActiveSession(id, nowMs);
  if (!found) throw errors.refuse('SESSION_EXPIRED');
  return found;
}

/** Identifies the present epoch without revealing it. */
export const epochName = (): string =>
  createHash('sha256').update(settings['Sessions:Epoch']).digest('base64url').slice(0, 22);

// The private key of a vault session opens with two things that the store never has together: the secret of the
// session's id, of which it has a hash, and the epoch of the deployment, which is in the environment. A new epoch
// strands every vault session. The PIN is not kept. Opening a PKCS#12 file takes up to seconds, and is paid once a
// session and not once a signature.
const sealKeyOf = (secret: string): SealKey => ({
  secret,
  salt: settings['Sessions:Epoch'],
  about: 'sinete session key',
});

/** The private key in the form in which the store keeps it. */
export function sealPrivateKey(key: KeyObject, secret: string): string {
  const pkcs8 = key.export({ format: 'der', type: 'pkcs8' });
  const sealed = seal(sealKeyOf(secret), pkcs8.toString('base64'));
  pkcs8.fill(0);
  return sealed;
}

/** The private key, or nothing under another secret or epoch. */
export function openPrivateKey(sealed: string, secret: string): KeyObject | undefined {
  const pkcs8 = unseal(sealKeyOf(secret), sealed);
  return pkcs8 === undefined
    ? undefined
    : createPrivateKey({ key: Buffer.from(pkcs8, 'base64'), format: 'der', type: 'pkcs8' });
}
