import * as z from 'zod';
import { pathId } from '../../../shared/http/validate.ts';
import { trimEnd } from '../../../shared/text/trim-end.ts';
import { AUTH_TYPES } from '../../../shared/webhooks/webhook.ts';
import { INSTITUTE_ID, SUBSCRIPTION_ID } from '../items/shapes.ts';

// Equal to the bounds of the delivery engine, repeated for OpenAPI.
const MAX_URL = 2_048;
const MAX_TOKEN = 4_096;

// Only spaces are trimmed. A line break at either end is refused like one inside (header injection).
const withoutSpaces = (address: string): string => trimEnd(address.replace(/^ +/, ''), / /);

export const SubscriptionIntegrationParams = z.object({
  id: pathId().meta({ description: 'The organization.', examples: [SUBSCRIPTION_ID] }),
});
export const InstituteIntegrationParams = z.object({
  id: pathId().meta({ description: 'The institute.', examples: [INSTITUTE_ID] }),
});

const Request = z.object({
  enabled: z
    .boolean()
    .describe('Whether anything is sent. Without it, deliveries that wait are not sent either.'),
  url: z
    .string()
    .overwrite(withoutSpaces)
    .min(1)
    .max(MAX_URL)
    .nullish()
    .describe('An http or https address on the public internet. Required to enable the webhook.'),
  authType: z.enum(AUTH_TYPES).nullish().describe('Required to enable the webhook.'),
  token: z
    .string()
    .max(MAX_TOKEN)
    .nullish()
    .describe(
      'Sent exactly as given; for Basic it is already the base64 of user:password, for Bearer it is without the word. Required to enable the webhook but for NoAuth; no answer has it.',
    ),
});

const REQUEST = {
  enabled: true,
  url: 'https://hooks.example.com/sinete',
  authType: 'Bearer',
  token: 'a-long-random-token',
} as const;

export const SetSubscriptionIntegration = Request.extend({
  shouldUseSubscriptionWebhookSettings: z
    .literal(false, 'only an institute can use the webhook of its organization')
    .nullish()
    .describe("Of an institute. An organization's webhook is its own."),
}).meta({ description: 'The webhook of an organization, all of it.', examples: [REQUEST] });

export const SetInstituteIntegration = Request.extend({
  shouldUseSubscriptionWebhookSettings: z
    .boolean()
    .nullish()
    .describe(
      "Sends the events to the organization's webhook, as that is configured, instead of an own one.",
    ),
}).meta({
  description: 'The webhook of an institute, all of it.',
  examples: [{ enabled: true, shouldUseSubscriptionWebhookSettings: true }],
});

const INTEGRATION = { enabled: true, url: 'https://hooks.example.com/sinete', authType: 'Bearer' } as const;

export const SubscriptionIntegration = z
  .object({ enabled: z.boolean(), url: z.string().nullable(), authType: z.enum(AUTH_TYPES).nullable() })
  .meta({ description: 'The webhook of an organization, without its token.', examples: [INTEGRATION] });

export const InstituteIntegration = SubscriptionIntegration.extend({
  shouldUseSubscriptionWebhookSettings: z.boolean(),
}).meta({
  description: 'The webhook of an institute, without its token.',
  examples: [{ ...INTEGRATION, shouldUseSubscriptionWebhookSettings: false }],
});
