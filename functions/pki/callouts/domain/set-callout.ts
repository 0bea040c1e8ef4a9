import { listWebhooks } from '../../../../shared/webhooks/registrations/lookup.ts';
import { setWebhook } from '../../../../shared/webhooks/registrations/registrations.ts';
import type { WebhookRequest } from '../../../../shared/webhooks/webhook.ts';
import { CALLOUT_KINDS, type CalloutKind, callouts, ownerOf } from './engine.ts';

/** Sets where an application is called, or that it is not. Pending deliveries go to the new address. */
export const setCallout = (
  application: string,
  kind: CalloutKind,
  request: WebhookRequest | undefined,
): ReturnType<typeof setWebhook> => setWebhook(callouts, ownerOf(application, kind), request, []);

/** Where an application is called, without what authenticates the calls. */
export async function listCallouts(application: string) {
  const found = await Promise.all(
    CALLOUT_KINDS.map(async (kind) =>
      (await listWebhooks(callouts, ownerOf(application, kind))).map(({ url, authType }) => ({
        ...{ kind, url, authType },
      })),
    ),
  );
  return found.flat();
}
