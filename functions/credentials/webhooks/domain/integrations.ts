import { collection } from '../../../../shared/store/collection.ts';
import { readTogether } from '../../../../shared/store/group/read.ts';
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

/** The integration of an owner as it is now, in one request with other reads of the process. */
export const readIntegration = (ownerId: string): Promise<Integration | undefined> =>
  readTogether(integrations, ownerId);
