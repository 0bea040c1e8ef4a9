import type * as z from 'zod';
import type { Caller } from '../../../../shared/access/caller.ts';
import { retryOnConflict } from '../../../../shared/store/retry-on-conflict.ts';
import type { PreferencesRequest } from '../../contract/organization/preferences.ts';
import {
  changeOrganization,
  isInScope,
  type Organization,
  organizationNotFound,
  requireCurrentOrganization,
} from './organization.ts';

export type Preferences = z.output<typeof PreferencesRequest>;

const AT_FIRST: Preferences = {
  language: null,
  mailSentence: null,
  signingWays: { cloud: true, token: true, electronic: true },
};

/** What an organization chooses for the people of its documents; for one that is not known, what holds at first. */
export const preferencesOf = (organization: Pick<Organization, 'preferences'> | undefined): Preferences =>
  organization?.preferences ?? AT_FIRST;

/** The preferences of an organization of the key. */
export async function readPreferences(caller: Pick<Caller, 'registered'>, id: string): Promise<Preferences> {
  if (!isInScope(caller, id)) throw organizationNotFound(id);
  return preferencesOf(await requireCurrentOrganization(id));
}

/** Replaces the preferences of an organization. */
export async function updatePreferences(
  caller: Pick<Caller, 'registered'>,
  id: string,
  preferences: Preferences,
): Promise<Preferences> {
  await retryOnConflict(() => changeOrganization(caller, id, async () => ({ patch: { preferences } })));
  return preferences;
}
