import type { Caller } from '../../../../shared/access/caller.ts';
import { isLocal } from '../../../../shared/settings/names.ts';
import { retryOnConflict } from '../../../../shared/store/retry-on-conflict.ts';
import { settings } from '../../settings.ts';
import { changeOrganization, type Organization } from './organization.ts';

// On the local stage an application runs on another port of the same machine.
const LOCAL_ORIGINS = ['http://localhost:*', 'http://127.0.0.1:*'];

/** The origins whose pages may show the signing pages of an organization in a frame, beside this host. */
export const embedOriginsOf = (organization: Organization | undefined): readonly string[] => [
  ...new Set([
    ...(settings['ActionUrls:EmbedOrigins']?.split(' ') ?? []),
    ...(organization?.embedOrigins ?? []),
    ...(isLocal() ? LOCAL_ORIGINS : []),
  ]),
];

/** Registers the origins of an organization, in place of those before. */
export async function updateEmbedding(
  caller: Pick<Caller, 'registered'>,
  organizationId: string,
  origins: readonly string[],
): Promise<{ readonly origins: string[] }> {
  const embedOrigins = [...new Set(origins)];
  await retryOnConflict(() =>
    changeOrganization(caller, organizationId, async () => ({ patch: { embedOrigins } })),
  );
  return { origins: embedOrigins };
}
