import { randomUUID } from 'node:crypto';
import type { ServiceName } from '../settings/names.ts';
import { collection } from '../store/collection.ts';
import { hashSecret, matchesSecret, newSecret } from './secrets.ts';

/** A key as it is kept: its hash, never itself. */
export type ApiKey = {
  readonly id: string;
  readonly hash: string;
  readonly issuedAt: string;
  readonly expiresAt?: string;
  readonly revokedAt?: string;
};

/**
 * A client application: one item with all its keys, so that disabling it and revoking a key are one write.
 * `registered` holds what an operator registered for it by kind, for example `redirectUris`.
 */
export type Application = {
  readonly name: string;
  readonly disabled: boolean;
  readonly permissions: readonly string[];
  readonly registered: Readonly<Record<string, readonly string[]>>;
  readonly keys: readonly ApiKey[];
};

/** A name that can stand before the bar of `name|secret`. */
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
 * What is registered for an application at this moment, by kind: for addresses that were checked when a visit began and
 * are used when it ends. Nothing is registered once the application is disabled or gone.
 * @example const { redirectUris = [] } = await registeredNow('hub', 'acme')
 */
export async function findRegistered(service: ServiceName, name: string): Promise<Application['registered']> {
  const found = await applications(service).get(name);
  return found && !found.disabled ? found.registered : {};
}

/** A new key of 256 random bits: the text to show once, and what to keep. @example const { text, key } = newKey('acme') */
export function newKey(application: string, options: { now?: number; expiresAt?: string } = {}) {
  const text = `${application}|${newSecret()}`;
  return { text, key: keyFromText(text, options) };
}

/** What is kept of a key whose text is known. */
export const keyFromText = (text: string, options: { now?: number; expiresAt?: string } = {}): ApiKey => ({
  id: randomUUID(),
  hash: hashSecret(text),
  issuedAt: new Date(options.now ?? Date.now()).toISOString(),
  ...(options.expiresAt && { expiresAt: options.expiresAt }),
});

/** The key that this text is, among an application's, if it is accepted now. */
export function findAcceptedKey(
  application: Application | undefined,
  text: string,
  now: number,
): ApiKey | undefined {
  let match: ApiKey | undefined;
  // All keys are compared, in constant time each, so that time tells neither which one matched nor how far.
  for (const key of application?.keys ?? [DUMMY_KEY]) {
    if (matchesSecret(key.hash, text)) match = key;
  }
  if (!application || application.disabled || !match || match.revokedAt) return undefined;
  // Asked this way round, an end that cannot be read is one that has passed.
  return match.expiresAt && !(Date.parse(match.expiresAt) > now) ? undefined : match;
}

// Compared with when there is no such application, so that its absence costs the same.
const DUMMY_KEY: ApiKey = { id: '', hash: hashSecret(''), issuedAt: '' };
