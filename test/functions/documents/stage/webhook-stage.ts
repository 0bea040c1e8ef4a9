import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { text as textOf } from 'node:stream/consumers';
import { beforeAll, beforeEach, vi } from 'vitest';
import { webhooks as engine } from '../../../../functions/documents/domain/document/webhook-engine.ts';
import { handler as createWebhook } from '../../../../functions/documents/endpoints/webhooks/create-webhook.ts';
import { handler as listDeliveries } from '../../../../functions/documents/endpoints/webhooks/list-webhook-deliveries.ts';
import type { Endpoint } from '../../../../shared/http/endpoint.ts';
import { commit } from '../../../../shared/store/commit.ts';
import { recording } from '../../../../shared/webhooks/deliveries/record-events.ts';
import { call } from '../../../requests/http-event.ts';
import { type Server, startServer } from '../../../shared/net/a-server.ts';
import { deliverDue } from '../../../shared/webhooks/deliver-due.ts';
import { ownOrganization } from '../own-organization.ts';

export type DeliveryResponse = {
  readonly id: string;
  readonly eventId: string;
  readonly state: string;
  readonly attemptCount: number;
};
export type Page = { readonly items: readonly DeliveryResponse[]; readonly nextCursor: string | null };

type Answer = { status: number; body?: string };
type Received = { readonly headers: IncomingMessage['headers']; readonly body: string };
type CallOptions = {
  deliveryId?: string;
  query?: Record<string, string>;
  webhookId?: string;
  orgId?: string;
  json?: unknown;
};

/** A receiver, and for each test its own organization with one webhook to it. */
export function webhookStage() {
  let receiver: Server;
  const stage = {
    orgId: '',
    key: '',
    webhookId: '',
    received: [] as Received[],
    answer: { status: 200 } as Answer,
    ask: (handler: Endpoint, { query, json, ...params }: CallOptions = {}) =>
      call(handler, {
        params: { orgId: stage.orgId, webhookId: stage.webhookId, ...params },
        headers: { 'X-API-Key': stage.key },
        ...(query && { query }),
        ...(json !== undefined && { json }),
      }),

    async register(more: Record<string, unknown> = {}): Promise<string> {
      const usual = { url: `${receiver.url}/hook`, authType: 'Bearer', token: 'a-long-random-token' };
      const made = await stage.ask(createWebhook, { json: { ...usual, ...more } });
      return (made.json() as { id: string }).id;
    },

    list: async (query: Record<string, string> = {}) =>
      (await stage.ask(listDeliveries, { query })).json() as Page,

    /** Records an event of the organization as a change does. Answers its id. */
    async happen(type = 'DocumentSigned', delaySeconds = 0): Promise<string> {
      const data = { id: randomUUID(), name: 'contrato ção.pdf' };
      const notice = { type, data, ...(delaySeconds > 0 && { delaySeconds }) };
      const { eventIds, writes } = await recording(engine, stage.orgId, [notice]);
      await commit(writes);
      return eventIds[0] ?? '';
    },

    /** Makes the attempts that are due so much later, as the worker does. */
    deliver: (laterMs = 0) => deliverDue({ ...engine, now: () => Date.now() + laterMs }, stage.webhookId),

    /** An event whose only attempt fails. */
    async fail(): Promise<string> {
      vi.stubEnv('Webhooks__MaxAttempts', '1');
      stage.answer = { status: 503, body: 'come back later' };
      const id = await stage.happen();
      await stage.deliver();
      return id;
    },
  };

  beforeAll(async () => {
    receiver = await startServer(async (request, response) => {
      const { headers } = request;
      stage.received.push({ headers, body: await textOf(request) });
      response.writeHead(stage.answer.status).end(stage.answer.body);
    });
    return receiver.stop;
  });
  beforeEach(async () => {
    vi.unstubAllEnvs();
    vi.stubEnv('Webhooks__AllowPrivateNetworks', 'true');
    vi.stubEnv('Webhooks__MaxAttempts', '2');
    Object.assign(stage, await ownOrganization());
    stage.received = [];
    stage.answer = { status: 200 };
    stage.webhookId = await stage.register();
  });
  return stage;
}
