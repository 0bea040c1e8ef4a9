import * as z from 'zod';
import type { Json, Shapes } from './shapes.ts';
import { tagName } from './tags.ts';

/** One type of event that a service sends to webhooks: when, and its whole body. */
type WebhookModel = {
  readonly tag: string;
  readonly when: string;
  readonly body: z.ZodObject;
  readonly example: object;
};

/** Every event that a service sends, by its type. */
export type WebhookModels = Readonly<Record<string, WebhookModel>>;

type Row = { readonly when: string; readonly data: z.ZodObject; readonly example: object };

/**
 * The events of a service, by their type. Its contract exports them as WEBHOOKS.
 * @example export const WEBHOOKS = webhookModels({ DocumentConcluded: { when: 'Everybody signed.', data, example } });
 */
export const webhookModels = (
  rows: Readonly<Record<string, Row>>,
  { tag = 'webhooks', dataField = 'data' } = {},
): WebhookModels =>
  Object.fromEntries(
    Object.entries(rows).map(([type, { when, data, example }]) => [
      type,
      {
        ...{ tag, when },
        body: z.object({ type: z.literal(type), [dataField]: data }),
        example: { type, [dataField]: example },
      },
    ]),
  );

/** What a service sends, as `webhooks` of OpenAPI 3.1. They have no operation ids: clients make methods of those. */
export function describeWebhooks(models: WebhookModels, shapes: Shapes): Json {
  return Object.fromEntries(
    Object.entries(models).map(([type, { tag, when, body, example }]) => [
      type,
      {
        post: {
          tags: [tagName(tag)],
          summary: type,
          description: when,
          // The header depends on the webhook, and a scheme here would be a setting of every generated client.
          security: [],
          parameters: Object.keys(WEBHOOK_PARAMETERS).map((name) => ({
            $ref: `#/components/parameters/${name}`,
          })),
          requestBody: {
            required: true,
            content: {
              'application/json': { schema: shapes.reference(body, 'output'), example },
            },
          },
          responses: { '2XX': { $ref: '#/components/responses/WebhookConfirmed' } },
        },
      },
    ]),
  );
}

const header = (name: string, required: boolean, description: string) => ({
  ...{ name, in: 'header', required, description },
  schema: { type: 'string' },
});

/** The headers that the description of every webhook refers to. */
export const WEBHOOK_PARAMETERS = {
  WebhookId: header('webhook-id', true, 'The same for every attempt of an event: it tells a repeat.'),
  WebhookTimestamp: header('webhook-timestamp', false, 'Seconds since 1970. Where the webhook has a secret.'),
  WebhookSignature: header(
    'webhook-signature',
    false,
    'Of Standard Webhooks, where the webhook has a secret. Beside it the header of the authType: `Authorization: Basic`, `Authorization: Bearer` or `X-Api-Key` with the token.',
  ),
};

export const WEBHOOK_RESPONSES = {
  WebhookConfirmed: {
    description: 'Any 2xx status confirms the event. After any other answer it is sent again.',
  },
};
