import type { Policy, WebhookEngine } from '../../../../shared/webhooks/engine.ts';
import { commonPolicyOf } from '../../../../shared/webhooks/settings.ts';
import { settings } from '../../settings.ts';
import { renderDocument } from './render-document.ts';

/** The queue of deliveries, a message for each attempt. Slow receivers have their own, `webhooks-slow`. */
export const WEBHOOKS_QUEUE = 'webhooks';

// One attempt and up to ten more by the published table: about four hours and a half.
const MAX_ATTEMPTS = 11;
// Each event of a session is three writes for a webhook, and the events of its documents are one commit.
const CALLOUTS_PER_KIND = 1;

const policy = (): Policy => ({
  maxPerOwner: CALLOUTS_PER_KIND,
  maxAttempts: MAX_ATTEMPTS,
  ...commonPolicyOf(settings),
});

/** The addresses of applications that the service calls, as an operator set them. */
export const callouts: WebhookEngine = {
  service: 'pki',
  queue: WEBHOOKS_QUEUE,
  policy,
  render: renderDocument,
  dataField: 'document',
  logsAttempts: true,
};

/** What an application is called for: to be told of signed documents, and asked about files that people bring. */
export const CALLOUT_KINDS = ['DocumentSignatureCompleted', 'FileValidation'] as const;
export type CalloutKind = (typeof CALLOUT_KINDS)[number];

/** The owner of a call-out among the webhooks. The name of an application has no blank. */
export const ownerOf = (application: string, kind: CalloutKind): string =>
  kind === 'DocumentSignatureCompleted' ? application : `${application} ${kind}`;
