import { text as textOf } from 'node:stream/consumers';
import { expect, vi } from 'vitest';
import { WEBHOOKS } from '../../../functions/credentials/events/contract.ts';
import type { Task } from '../../../functions/credentials/flows/domain/tasks.ts';
import { ADMINISTRATOR } from '../../../functions/credentials/service.ts';
import { WEBHOOKS_QUEUE } from '../../../functions/credentials/webhooks/domain/engine.ts';
import { handler as setInstitutes } from '../../../functions/credentials/webhooks/endpoints/set-institute-integration.ts';
import { handler as setOrganizations } from '../../../functions/credentials/webhooks/endpoints/set-subscription-integration.ts';
import { handler as deliverSlow } from '../../../functions/credentials/workers/deliver-slow-webhooks.ts';
import { handler as deliverQuick } from '../../../functions/credentials/workers/deliver-webhooks.ts';
import { handler as runTask } from '../../../functions/credentials/workers/run-task.ts';
import { createApplication, issueKey } from '../../../shared/access/administration.ts';
import type { Endpoint } from '../../../shared/http/endpoint.ts';
import { call } from '../../requests/http-event.ts';
import { startServer } from '../../shared/net/a-server.ts';
import { drainQueue } from '../drain-queue.ts';
import { expectModeled } from '../webhook-models.ts';
import { STUDIES } from './items/own-items.ts';
import { ownTenant, type Tenant } from './items/own-tenant.ts';
import { checkReceived, type ExpectedEvent, type Received, type ReceiverName } from './webhook-table.ts';

/** The webhooks of the test, as they are registered, and the headers by which each is known. */
const REGISTERED = {
  issuer: { authType: 'Bearer', token: 'issuers-own-token' },
  registrar: { authType: 'Basic', token: 'cmVnaXN0cmFyOnNlY3JldA==' },
  institute: { authType: 'ApiKey', token: 'institutes  own key' },
} as const satisfies Readonly<Record<ReceiverName, object>>;
const HEADERS = {
  issuer: ['Bearer issuers-own-token', undefined],
  registrar: ['Basic cmVnaXN0cmFyOnNlY3JldA==', undefined],
  institute: [undefined, 'institutes  own key'],
} as const;

type Tenants = {
  readonly issuer: Tenant;
  readonly registrar: Tenant;
  readonly headers: Record<string, string>;
};
/** What the two universities do by the operations, and what their webhooks are told. */
export type Operations = Awaited<ReturnType<Awaited<ReturnType<typeof startReceivers>>['found']>>;

/** A server that is the webhook of whoever is told its address. It takes a request only with the registered header. */
export async function startReceivers() {
  vi.stubEnv('Webhooks__AllowPrivateNetworks', 'true');
  const received: Received[] = [];
  const wrong: unknown[] = [];
  const server = await startServer(async (request, response) => {
    const at = String(request.url).slice(1) as ReceiverName;
    const { authorization, 'x-api-key': apiKey, 'content-type': contentType } = request.headers;
    const { type, data, ...rest } = JSON.parse(await textOf(request));
    const [expected, expectedKey] = HEADERS[at] ?? [];
    const isRight = authorization === expected && apiKey === expectedKey && request.method === 'POST';
    if (!isRight || !contentType?.startsWith('application/json') || Object.keys(rest).length > 0)
      wrong.push({ at, method: request.method, authorization, apiKey, contentType, rest });
    received.push({ at, type, data });
    response.end();
  });

  /** Runs the deliveries as their workers do. Answers what came in since the last time. */
  async function deliver(): Promise<Received[]> {
    await drainQueue('credentials', WEBHOOKS_QUEUE, deliverQuick);
    await drainQueue('credentials', `${WEBHOOKS_QUEUE}-slow`, deliverSlow);
    expect(wrong).toEqual([]);
    for (const { type, data } of received) expectModeled(WEBHOOKS, { type, data });
    return received.splice(0);
  }

  const seen = new Set<string>();

  const operationsOf = (tenants: Tenants) => {
    /** Calls an operation that must succeed. Answers the id of its item. */
    async function operate(handler: Endpoint, json: object, params: Record<string, string> = {}) {
      const answer = await call(handler, { headers: tenants.headers, params, json });
      const status = 'event' in params ? 200 : 201;
      expect([answer.status, answer.json()]).toEqual([status, expect.anything()]);
      return (answer.json() as { id: string }).id;
    }
    return {
      tenants,
      operate,
      changed: (handler: Endpoint, id: string, event: string, json: object = {}) =>
        operate(handler, json, { id, event }),
      studies: () => ({
        ...{ ...STUDIES, studentSocialName: 'Mara', instituteId: tenants.issuer.institute.id },
      }),
      /** That these events arrive now, and no others. */
      async expectEvents(events: Readonly<Record<string, ExpectedEvent>>): Promise<void> {
        await checkReceived(await deliver(), events, tenants);
        for (const type of Object.keys(events)) seen.add(type);
      },
    };
  };

  return {
    deliver,
    /** The types that arrived as they were expected. */
    seen,

    /** An issuer and a registrar whose webhooks, and that of the issuer's institute, are set by the operations. */
    async found() {
      const issuer = await ownTenant({ emecCode: '1234' });
      const registrar = await ownTenant({ kinds: ['Registradora'], emecCode: '987' });
      const registered = { organizations: [issuer.organizationId, registrar.organizationId] };
      const name = issuer.organizationId;
      await createApplication('credentials', { name, permissions: [ADMINISTRATOR], registered });
      const headers = { 'X-API-Key': (await issueKey('credentials', name)).text };
      const set = async (handler: Endpoint, at: ReceiverName, id: string) => {
        const json = { enabled: true, url: `${server.url}/${at}`, ...REGISTERED[at] };
        expect((await call(handler, { headers, params: { id }, json })).status).toBe(200);
      };
      await set(setOrganizations, 'issuer', issuer.organizationId);
      await set(setOrganizations, 'registrar', registrar.organizationId);
      await set(setInstitutes, 'institute', issuer.institute.id);
      return operationsOf({ issuer, registrar, headers });
    },

    stop: server.stop,
  };
}

/** Runs one task as the worker does. */
export async function runOneTask(task: Task): Promise<void> {
  const record = {
    ...{ messageId: task.id, body: JSON.stringify(task), messageAttributes: {} },
    attributes: { ApproximateReceiveCount: '1' },
  };
  const event = { Records: [record] } as unknown as Parameters<typeof runTask>[0];
  expect(await runTask(event)).toEqual({ batchItemFailures: [] });
}
