import { randomUUID } from 'node:crypto';
import { putProfile, setKey } from '../../../../functions/batch/profiles/domain/change-profile.ts';
import type { ProfileFields } from '../../../../functions/batch/profiles/domain/fields.ts';
import { type Profile, readProfile } from '../../../../functions/batch/profiles/domain/profile.ts';
import { testPki } from '../../../certificates/pki.ts';

export const BY = 'admin ana';
export const NOW = Date.UTC(2026, 2, 2);

export const newName = (): string => `p-${randomUUID().slice(0, 8)}`;

export async function stored(name: string): Promise<Profile> {
  const found = await readProfile(name);
  if (!found) throw new Error(`There is no profile ${name}.`);
  return found;
}

/** A profile with a key, of a name of its own. */
export async function someProfile(fields: Partial<ProfileFields> = {}): Promise<Profile> {
  const name = newName();
  await putProfile(BY, { ...fields, name }, NOW);
  await setKey(BY, name, testPki().holder(), NOW);
  return stored(name);
}
