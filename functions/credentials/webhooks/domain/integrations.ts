import { commonSettings } from '../../../../shared/settings/common.ts';
import { cached } from '../../../../shared/store/cached.ts';
import { collection } from '../../../../shared/store/collection.ts';
import type { AuthType } from '../../../../shared/webhooks/webhook.ts';

/**
 * How the events of an organization or an institute are sent, as it was configured. Its webhook is registered with the
 * engine while it is in use, with the token, and this without one.
 */
export type Integration = {
  /** The id of the organization or the institute. */
  readonly ownerId: string;
  readonly enabled: boolean;
  readonly url: string | null;
  readonly authType: AuthType | null;
  /** Of an institute: its events go to the organization's webhook. */
  readonly shouldUseSubscriptionWebhookSettings: boolean;
};

export const integrations = collection<Integration, string>({
  service: 'credentials',
  name: 'integration',
  id: ({ ownerId }) => ownerId,
  key: (ownerId) => ({ pk: `INTEGRATION#${ownerId}`, sk: 'INTEGRATION' }),
});

const recent = cached<Integration>({
  name: 'credentials.integrations',
  read: (ownerId) => integrations.get(ownerId),
  ttlMs: () => commonSettings['Access:CacheSeconds'] * 1000,
});

/** The integration of an owner as it was at most Access:CacheSeconds ago. */
export const recentIntegration = (ownerId: string): Promise<Integration | undefined> => recent.get(ownerId);

/** Makes a change visible in this process at once. */
export const forgetIntegration = (ownerId: string): void => recent.drop(ownerId);
