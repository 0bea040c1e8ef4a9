import { commonSettings } from '../../../../shared/settings/common.ts';
import { cached } from '../../../../shared/store/cached.ts';
import type { DegradedProfile } from '../../operations/domain/readiness.ts';
import { degradedReasonOf } from './open-profile.ts';
import { listProfiles } from './profile.ts';

// Anyone may ask for readiness: the profiles are read once in Access:CacheSeconds, however many ask.
const recent = cached<readonly DegradedProfile[]>({
  name: 'batch.degraded-profiles',
  read: readDegraded,
  ttlMs: () => commonSettings['Access:CacheSeconds'] * 1000,
});

/** The profiles that cannot sign, sorted by name, disabled ones included: their queued jobs still finish. */
export const degradedProfiles = async (): Promise<readonly DegradedProfile[]> =>
  (await recent.get('all')) ?? [];

/** Reads them again at the next call, after a change by this process. */
export const forgetDegraded = (): void => recent.drop('all');

async function readDegraded(): Promise<readonly DegradedProfile[]> {
  return (await listProfiles()).flatMap((profile) => {
    const reason = degradedReasonOf(profile);
    return reason === undefined ? [] : [{ name: profile.name, reason }];
  });
}
