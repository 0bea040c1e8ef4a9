import * as z from 'zod';
import { pathId } from '../../../../shared/http/validate.ts';
import { trimEnd } from '../../../../shared/text/trim-end.ts';
import { deliveryStates } from '../../../../shared/webhooks/deliveries/delivery.ts';
import { AUTH_TYPES } from '../../../../shared/webhooks/webhook.ts';
import {
  BRANDING,
  DELIVERY,
  DELIVERY_DETAILS,
  DELIVERY_ID,
  ORGANIZATION,
  WEBHOOK,
  WEBHOOK_ID,
} from '../examples.ts';
import { caseInsensitive } from '../lists.ts';
import { BrandingModel } from './branding.ts';
import { OrganizationDetails, OrganizationMail, OrganizationParams } from './organizations.ts';

// Equal to the bounds of the delivery engine, repeated for OpenAPI.
const MAX_URL = 2_048;
const MAX_TOKEN = 4_096;
const MAX_SECRET = 100;

const State = z.enum(deliveryStates.states);

// Only spaces are trimmed. A line break at either end is refused like one inside (header injection).
const withoutSpaces = (address: string): string => trimEnd(address.replace(/^ +/, ''), / /);

/** A webhook to register or replace. The delivery engine checks the values. */
export const WebhookRequest = z
  .object({
    url: z
      .string()
      .overwrite(withoutSpaces)
      .min(1)
      .max(MAX_URL)
      .describe('An http or https address on the public internet.'),
    authType: z.enum(AUTH_TYPES),
    token: z
      .string()
      .max(MAX_TOKEN)
      .nullish()
      .transform((token) => token ?? undefined)
      .describe(
        'Sent exactly as given; for Basic it is already the base64 of user:password. Required but for NoAuth.',
      ),
    secret: z
      .string()
      .max(MAX_SECRET)
      .nullish()
      .describe(
        'Of Standard Webhooks, `whsec_…`: deliveries are signed with it. On a change, left out it stays and null removes ' +
          'it; with another `url` it is asked for again.',
      ),
  })
  .meta({
    description: 'Where events are sent, and how deliveries authenticate.',
    examples: [{ url: 'https://hooks.example.com/sinete', authType: 'Bearer', token: 'a-long-random-token' }],
  });

/** The token and the secret are withheld. */
export const WebhookModel = z
  .object({
    id: z.string(),
    url: z.string(),
    authType: z.enum(AUTH_TYPES),
  })
  .meta({ description: 'A webhook. Its token and secret are withheld.', examples: [WEBHOOK] });

export const OrganizationWithWebhooks = OrganizationDetails.extend({
  branding: BrandingModel,
  webhooks: z.array(WebhookModel).describe('In the order they were made; none in a personal organization.'),
  mail: OrganizationMail,
}).meta({
  description: 'An organization and its webhooks.',
  examples: [
    {
      ...ORGANIZATION,
      branding: BRANDING,
      webhooks: [WEBHOOK],
      mail: { enabled: false, requiresCode: false },
    },
  ],
});

export const CreatedWebhook = z
  .object({
    id: z.string(),
    webhookId: z.string().describe('The same as `id`.'),
  })
  .meta({ description: 'The id of the webhook.', examples: [{ id: WEBHOOK_ID, webhookId: WEBHOOK_ID }] });

export const WebhookParams = OrganizationParams.extend({
  webhookId: pathId().meta({ description: 'The id of the webhook.', examples: [WEBHOOK_ID] }),
});
export const DeliveryParams = WebhookParams.extend({
  deliveryId: pathId(z.string().min(1).max(200)).meta({
    description: 'The id of the delivery.',
    examples: [DELIVERY_ID],
  }),
});

export const DeliveriesQuery = caseInsensitive(
  z.object({
    state: State.optional(),
    limit: z.coerce.number().int().min(1).max(100).default(20),
    cursor: z.string().max(1_000).optional().describe('The `nextCursor` of the page before.'),
  }),
);

const AttemptSummary = z.object({
  date: z.iso.datetime(),
  status: z.int().nullable().describe('What the receiver answered; null when it gave no answer.'),
  error: z.string().nullable().describe('Why there was no answer.'),
  durationMs: z.int(),
});

export const DeliveryModel = z
  .object({
    id: z.string(),
    eventId: z.string().describe('The header `webhook-id` of every attempt.'),
    type: z.string(),
    state: State,
    attemptCount: z.int(),
    createdDate: z.iso.datetime(),
    nextAttemptDate: z.iso.datetime().nullable().describe('Null but for Pending.'),
    lastAttempt: AttemptSummary.nullable(),
  })
  .meta({ description: 'One event on its way to one webhook.', examples: [DELIVERY] });

export const Deliveries = z
  .object({
    items: z.array(DeliveryModel).describe('Newest first; of Pending ones, the soonest next attempt first.'),
    totalCount: z.null().describe('Not counted.'),
    nextCursor: z.string().nullable(),
  })
  .meta({
    description: 'One page of deliveries.',
    examples: [{ items: [DELIVERY], totalCount: null, nextCursor: null }],
  });

/** One delivery with the body sent and its attempts, the first one first. */
export const DeliveryDetails = DeliveryModel.extend({
  body: z.string().nullable().describe('As sent, byte for byte; null when it is no longer kept.'),
  attempts: z.array(
    AttemptSummary.extend({
      number: z.int(),
      response: z.string().nullable().describe('The first 20 kB of the body that the receiver answered.'),
    }),
  ),
}).meta({
  description: 'A delivery with its body and every attempt, the first one first.',
  examples: [DELIVERY_DETAILS],
});

export const ReplayedDeliveries = z
  .object({
    replayed: z.int(),
    more: z.boolean().describe('Whether failed ones are left. They follow by themselves.'),
  })
  .meta({ description: 'How many deliveries are sent again.', examples: [{ replayed: 3, more: false }] });

export const TestSent = z
  .object({ deliveryId: z.string() })
  .meta({ description: 'The delivery of the test event.', examples: [{ deliveryId: DELIVERY_ID }] });
