import { existsSync, renameSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { formatRing, newRingKey } from '../../../shared/settings/keyring.ts';

/** The ring of sealing keys of a data folder. It is kept as long as the data, and only this user may read it. */
export const RING_FILE = 'sealing.keys';

/** The setting that names the ring of this folder, if there is one. */
export const ringIn = (dataDir: string): string | undefined => {
  const path = resolve(join(dataDir, RING_FILE));
  return existsSync(path) ? `file:${path}` : undefined;
};

/**
 * The same, with a first key where there is none.
 * @example env.Sealing__Keys ??= requireRingIn('.local');
 */
export function requireRingIn(dataDir: string): string {
  const path = resolve(join(dataDir, RING_FILE));
  // Renamed into place: a reader sees the whole ring or none.
  if (!existsSync(path)) {
    writeFileSync(`${path}.draft`, newRing(), { mode: 0o600 });
    renameSync(`${path}.draft`, path);
  }
  return `file:${path}`;
}

/** A ring of one key. For stores in memory it is the setting itself: what is sealed there ends with the process. */
export const newRing = (): string => formatRing([newRingKey(Date.now())]);
