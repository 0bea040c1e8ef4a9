import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const KEY_BYTES = 32;

const pathIn = (dataDir: string): string => join(dataDir, 'providers-sealing.key');

/** The key that seals the secrets of the hub's providers in this folder's store, if one was made. */
export const readSealingKey = (dataDir: string): string | undefined =>
  existsSync(pathIn(dataDir)) ? readFileSync(pathIn(dataDir), 'utf8').trim() : undefined;

/**
 * The same, made where there is none. It lives as long as the data, and only this user may read it.
 * @example env.Providers__SealingKey ??= sealingKeyIn('.local');
 */
export function sealingKeyIn(dataDir: string): string {
  const known = readSealingKey(dataDir);
  if (known) return known;
  const key = newSealingKey();
  // Renamed into place: a key is whole, or there is none.
  const draft = `${pathIn(dataDir)}.draft`;
  writeFileSync(draft, `${key}\n`, { mode: 0o600 });
  renameSync(draft, pathIn(dataDir));
  return key;
}

/** For stores in memory, which end with their process. */
export const newSealingKey = (): string => randomBytes(KEY_BYTES).toString('base64');
