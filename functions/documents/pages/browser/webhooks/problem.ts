import { ConnectionLost, RequestRefused } from '../../../../../shared/ui/browser/api.ts';
import type { WebhooksWords } from '../../webhooks/words.ts';

/** Any failure in words. */
export function problemText(error: unknown, words: WebhooksWords): string {
  if (error instanceof ConnectionLost) return words.unreachable;
  if (!(error instanceof RequestRefused)) return words.failed(error instanceof Error ? error.name : 'Error');
  const known: Readonly<Record<string, string>> = {
    Unauthorized: words.keyRefused,
    OrganizationNotFound: words.organizationUnknown,
    OperationNotSupportedInPersonalOrganizations: words.personal,
    WebhookNotFound: words.webhookGone,
    DeliveryNotFinished: words.notFinished,
    EventNotKept: words.eventGone,
  };
  return known[error.code] ?? words.failed(error.details.correlationId ?? error.code);
}
