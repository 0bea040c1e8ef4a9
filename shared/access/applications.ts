import { randomUUID } from 'node:crypto';
import type { ServiceName } from '../settings/names.ts';
import { collection } from '../store/collection.ts';
import { hashSecret, matchesSecret, newSecret } from './secrets.ts';

/** A stored API key: the hash of its text, not the text. */
export type ApiKey = {
  readonly id: string;
  readonly hash: string;
  readonly issuedAt: string;
  readonly expiresAt?: string;
  readonly revokedAt?: string;
};

/**
 * A client application: one item with all its keys, so that disabling it and revoking a key are one write.
 * `registered` has the values that an operator registered, by kind, for example `redirectUris`.
 */
export type Application = {
  readonly name: string;
  readonly disabled: boolean;
  readonly permissions: readonly string[];
  readonly registered: Readonly<Record<string, readonly string[]>>;
  readonly keys: readonly ApiKey[];
};

/** A valid name: the part of `name|secret` before the bar. */
export const APPLICATION_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

/** The applications of one service. @example await applications('session').get('sandbox') */
export const applications = (service: ServiceName) =>
  collection<Application, string>({
    service,
    name: 'application',
    id: (application) => application.name,
    key: (name) => ({ pk: `APPLICATION#${name}`, sk: 'APPLICATION' }),
  });

/**
 * The current registered values of an application, by kind: for addresses that were checked at the start of a visit and
 * are used at its end. Empty once the application is disabled or deleted.
 * @example const { redirectUris = [] } = await findRegistered('hub', 'acme')
 */
export async function findRegistered(service: ServiceName, name: string): Promise<Application['registered']> {
  const found = await applications(service).get(name);
  return found && !found.disabled ? found.registered : {};
}

/** A new key of 256 random bits: the text to show once, and the key to store. @example const { text, key } = newKey('acme') */
export function newKey(application: string, options: { now?: number; expiresAt?: string } = {}) {
  const text = `${application}|${newSecret()}`;
  return { text, key: keyFromText(text, options) };
}

/** The key to store for a known text. */
export const keyFromText = (text: string, options: { now?: number; expiresAt?: string } = {}): ApiKey => ({
  id: randomUUID(),
  hash: hashSecret(text),
  issuedAt: new Date(options.now ?? Date.now()).toISOString(),
  ...(options.expiresAt && { expiresAt: options.expiresAt }),
});

/** Finds the application's key with this text, if it is accepted now. */
export function findAcceptedKey(
  application: Application | undefined,
  text: string,
  nowMs: number,
): ApiKey | undefined {
  let match: ApiKey | undefined;
  // Timing attack: all keys are compared, each in constant time.
  for (const key of application?.keys ?? [DUMMY_KEY]) {
    if (matchesSecret(key.hash, text)) match = key;
  }
  if (!application || application.disabled || !match || match.revokedAt) return undefined;
  // An unreadable expiry counts as expired.
  return match.expiresAt && !(Date.parse(match.expiresAt) > nowMs) ? undefined : match;
}

// Timing attack: an unknown application takes the same time as a known one.
const DUMMY_KEY: ApiKey = { id: '', hash: hashSecret(''), issuedAt: '' };
