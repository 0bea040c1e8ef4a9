import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const KEY_BYTES = 32;

/** The kinds of sealed secrets, each with its own key: those of the hub's providers and of profiles, and webhooks' tokens. */
type SecretKind = 'providers' | 'webhooks';

const pathIn = (dataDir: string, kind: SecretKind): string => join(dataDir, `${kind}-sealing.key`);

/** The key of this folder, if there is one. */
export const readSealingKey = (dataDir: string, kind: SecretKind): string | undefined =>
  existsSync(pathIn(dataDir, kind)) ? readFileSync(pathIn(dataDir, kind), 'utf8').trim() : undefined;

/**
 * The same, created where there is none. It is kept as long as the data, and only this user may read it.
 * @example env.Providers__SealingKey ??= sealingKeyIn('.local', 'providers');
 */
export function sealingKeyIn(dataDir: string, kind: SecretKind): string {
  const known = readSealingKey(dataDir, kind);
  if (known) return known;
  const key = newSealingKey();
  // Renamed into place: a reader sees the whole key or none.
  const draft = `${pathIn(dataDir, kind)}.draft`;
  writeFileSync(draft, `${key}\n`, { mode: 0o600 });
  renameSync(draft, pathIn(dataDir, kind));
  return key;
}

export const newSealingKey = (): string => randomBytes(KEY_BYTES).toString('base64');

/** For stores in memory: what is sealed there ends with the process. */
export const newSealingKeys = (): Record<string, string> => ({
  Providers__SealingKey: newSealingKey(),
  Profiles__SealingKey: newSealingKey(),
  Webhooks__SealingKey: newSealingKey(),
});
