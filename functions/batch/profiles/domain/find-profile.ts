import { commonSettings } from '../../../../shared/settings/common.ts';
import { cached } from '../../../../shared/store/cached.ts';
import { defaultProfiles, type Profile, readProfile } from './profile.ts';

// A guess: the profile is read with the item that names the default one.
const guessedDefault = cached<string>({
  name: 'batch.default-profile',
  read: async () => (await defaultProfiles.get('default'))?.profileName,
  ttlMs: () => commonSettings['Access:CacheSeconds'] * 1000,
});

/**
 * The profile of this name as it is now, case-insensitive; without a name the default one. A profile that was disabled
 * makes no job, and the key of before signs none, whoever changed it.
 * @example const profile = await findProfile(query.profile);
 */
export async function findProfile(name?: string): Promise<Profile | undefined> {
  if (name !== undefined) return readProfile(name.toLowerCase());
  const guessed = await readDefault();
  if (guessed?.default) return guessed;
  forgetDefault();
  const found = await readDefault();
  return found?.default ? found : undefined;
}

async function readDefault(): Promise<Profile | undefined> {
  const name = await guessedDefault.get('default');
  return name === undefined ? undefined : readProfile(name);
}

/** Reads at the next call which profile is the default one, after a change by this process. */
export const forgetDefault = (): void => guessedDefault.drop('default');
