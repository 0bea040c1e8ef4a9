import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const KEY_BYTES = 32;

/** What is sealed in a folder's stores, each with a key of its own: the hub's provider secrets, webhooks' tokens. */
type Sealed = 'providers' | 'webhooks';

const pathIn = (dataDir: string, what: Sealed): string => join(dataDir, `${what}-sealing.key`);

/** The key that seals them in this folder's store, if one was made. */
export const readSealingKey = (dataDir: string, what: Sealed): string | undefined =>
  existsSync(pathIn(dataDir, what)) ? readFileSync(pathIn(dataDir, what), 'utf8').trim() : undefined;

/**
 * The same, made where there is none. It lives as long as the data, and only this user may read it.
 * @example env.Providers__SealingKey ??= sealingKeyIn('.local', 'providers');
 */
export function sealingKeyIn(dataDir: string, what: Sealed): string {
  const known = readSealingKey(dataDir, what);
  if (known) return known;
  const key = newSealingKey();
  // Renamed into place: a key is whole, or there is none.
  const draft = `${pathIn(dataDir, what)}.draft`;
  writeFileSync(draft, `${key}\n`, { mode: 0o600 });
  renameSync(draft, pathIn(dataDir, what));
  return key;
}

/** For stores in memory, which end with their process. */
export const newSealingKey = (): string => randomBytes(KEY_BYTES).toString('base64');
