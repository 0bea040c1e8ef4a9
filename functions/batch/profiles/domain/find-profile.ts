import { commonSettings } from '../../../../shared/settings/common.ts';
import { cached } from '../../../../shared/store/cached.ts';
import { defaultProfiles, PROFILE_NAME, type Profile, readProfile } from './profile.ts';

const ttlMs = (): number => commonSettings['Access:CacheSeconds'] * 1000;

const recent = cached<Profile>({ name: 'batch.profiles', read: readProfile, ttlMs });
const recentDefault = cached<string>({
  name: 'batch.default-profile',
  read: async () => (await defaultProfiles.get('default'))?.profileName,
  ttlMs,
});

/**
 * The profile of this name, case-insensitive; without a name the default one. It may be as old as Access:CacheSeconds.
 * @example const profile = await findProfile(query.profile);
 */
export async function findProfile(name?: string): Promise<Profile | undefined> {
  const found = name?.toLowerCase() ?? (await recentDefault.get('default'));
  return found !== undefined && PROFILE_NAME.test(found) ? recent.get(found) : undefined;
}

/** Forgets what this process has read of a profile that it has changed, and which one is the default. */
export function forgetProfile(name: string): void {
  recent.drop(name);
  recentDefault.drop('default');
}
