import { readFileSync } from 'node:fs';
import { text as textOf } from 'node:stream/consumers';
import { vi } from 'vitest';
import { changeDegree } from '../../../../functions/credentials/degrees/domain/change-degree.ts';
import {
  type CreateDegreeRequest,
  createDegree,
} from '../../../../functions/credentials/degrees/domain/degrees.ts';
import {
  lookAtDocuments,
  type Occasion,
} from '../../../../functions/credentials/flows/domain/take-signed.ts';
import { TASKS_QUEUE, type Task } from '../../../../functions/credentials/flows/domain/tasks.ts';
import { handler as receive } from '../../../../functions/credentials/flows/endpoints/receive-signer-event.ts';
import type { DegreeData } from '../../../../functions/credentials/items/domain/data.ts';
import { type Item, type ItemFile, items } from '../../../../functions/credentials/items/domain/item.ts';
import { handler as runTask } from '../../../../functions/credentials/workers/run-task.ts';
import { webhooks as documentWebhooks } from '../../../../functions/documents/domain/document/webhook-engine.ts';
import { deadlineIn } from '../../../../shared/async/deadline.ts';
import { openPkcs12 } from '../../../../shared/pki/pkcs12/open.ts';
import { platformClient } from '../../../../shared/platform/client.ts';
import { sendDueMessages } from '../../../../shared/queue/outbox.ts';
import { scheduleHandler } from '../../../../shared/queue/schedule.ts';
import { tableName } from '../../../../shared/settings/names.ts';
import { localKey } from '../../../../shared/signing/key.ts';
import { getBatch, type Stored } from '../../../../shared/store/collection.ts';
import { dueKey } from '../../../../shared/store/due/message.ts';
import { addWebhook } from '../../../../shared/webhooks/registrations/registrations.ts';
import { serveSandbox } from '../../../cli/sandbox.ts';
import { call } from '../../../requests/http-event.ts';
import { servePlatform } from '../../../servers/platform-server.ts';
import { startServer } from '../../../shared/net/a-server.ts';
import { deliverDue } from '../../../shared/webhooks/deliver-due.ts';
import { everyItem } from '../../../stores/whole-table.ts';
import { ownOrganization } from '../../documents/own-organization.ts';
import { drainQueue } from '../../drain-queue.ts';
import { ownStores } from '../../own-stores.ts';
import { keyOf, ownTenant, registerSilentWebhook } from '../items/own-tenant.ts';

export const ANA = '52998224725';
export const BRUNO = '47363361886';

const within = () => deadlineIn(60_000, Date.now);

/** The credential platform on stores of its own, beside our document platform behind a real server. */
export async function flowStage({ webhookUrl }: { readonly webhookUrl?: string } = {}) {
  vi.useFakeTimers({ toFake: ['Date'], shouldAdvanceTime: true });
  const stopStores = await ownStores();
  const [sandbox, platform] = await Promise.all([serveSandbox(), servePlatform()]);
  const { orgId, key } = await ownOrganization();
  for (const [name, value] of Object.entries({
    Certificates__TrustAnchors: sandbox.pki('root.crt'),
    Network__AllowPrivateAddresses: 'true',
    Webhooks__AllowPrivateNetworks: 'true',
    Access__CacheSeconds: '0',
    Signer__BaseAddress: platform.url,
    Signer__ApiKey: key,
  }))
    vi.stubEnv(name, value);
  const client = platformClient({ address: platform.url, apiKey: key, requestTimeoutMs: 20_000 });

  const own = await ownTenant();
  const ownKey = (await keyOf(own))['X-API-Key'] ?? '';
  await registerSilentWebhook(own.organizationId, webhookUrl);

  const degree = async (id: string): Promise<Stored<Item<DegreeData>>> => {
    const found = await items.get({ kind: 'degree', id });
    if (!found) throw new Error(`There is no degree ${id}.`);
    return found as Stored<Item<DegreeData>>;
  };

  const create = (request: Partial<CreateDegreeRequest> = {}) =>
    createDegree(
      own.caller,
      {
        ...{ studentName: 'Maria da Silva', studentSocialName: null, studentCpf: ANA, version: '1.05' },
        ...{ course: 'Direito', instituteId: own.institute.id, ...request },
      },
      Date.now(),
    );

  /** Runs the tasks on the queue, also those that wait for some seconds. Answers their names, or those of one degree. */
  const run = async (of?: string): Promise<string[]> => {
    vi.setSystemTime(Date.now() + 2_000);
    return (await drainQueue<Task>('credentials', TASKS_QUEUE, runTask))
      .filter(({ id }) => of === undefined || id === of)
      .map(({ task }) => task);
  };
  const sweep = (laterMs: number) =>
    scheduleHandler('credentials', 'send-due', sendDueMessages('credentials'), () => Date.now() + laterMs)();

  const documentsOf = async (id: string): Promise<string[]> =>
    (await degree(id)).files.map(({ document }) => document?.id ?? '');

  /** Signs a document as one of its signers does. */
  async function sign(documentId: string, cpf: string): Promise<void> {
    const { entries } = await openPkcs12(readFileSync(sandbox.pki('holders', `${cpf}.p12`)), '1234');
    const [entry] = entries;
    if (!entry) throw new Error('The sandbox has such a holder.');
    const signingKey = localKey(entry.privateKey, entry.certificate, entry.chain);
    const toSign = await client.startSignature({ documentId }, entry.certificate.der, within());
    if (!toSign.isAccepted) throw new Error(toSign.reason);
    const signature = await signingKey.signHash('sha256', toSign.hash);
    const done = await client.completeSignature({ documentId }, { token: toSign.token, signature }, within());
    if (!done.isAccepted) throw new Error(done.reason);
  }

  /** The webhook of the document platform, to the operation that receives its events. */
  async function listen() {
    const answers: unknown[] = [];
    const receiver = await startServer(async (request, response) => {
      const body = await textOf(request);
      const answered = await call(receive, { headers: request.headers as Record<string, string>, body });
      answers.push([
        JSON.parse(body).type,
        answered.status,
        (answered.json() as { outcome?: string }).outcome,
      ]);
      response.writeHead(answered.status, answered.headers).end(answered.bytes);
    });
    const registration = { url: receiver.url, authType: 'ApiKey', token: ownKey } as const;
    const webhook = await addWebhook(documentWebhooks, orgId, registration);
    if ('refused' in webhook) throw new Error(webhook.message);
    return {
      /** Delivers what is recorded. Answers type, status and outcome of each. */
      async deliver(): Promise<unknown[]> {
        answers.length = 0;
        await deliverDue(documentWebhooks, webhook.id);
        return [...answers];
      },
      stop: receiver.stop,
    };
  }

  return {
    ...{ sandbox, platform, client, own, create, degree, run, sweep, documentsOf, sign, listen },
    /** A degree whose files are at the platform. */
    async handedOver(request: Partial<CreateDegreeRequest> = {}): Promise<Item<DegreeData>> {
      const { id } = await create(request);
      await run();
      return degree(id);
    },
    /** The platform answers nothing but 503, and answers again. */
    down: () => {
      platform.interfere = () => ({ status: 503 });
    },
    up: () => {
      platform.interfere = () => undefined;
    },
    async signAll(id: string, cpfs: readonly string[] = [ANA, BRUNO]): Promise<void> {
      for (const documentId of await documentsOf(id)) for (const cpf of cpfs) await sign(documentId, cpf);
    },
    fileOf: async (id: string, name: string): Promise<ItemFile | undefined> =>
      (await degree(id)).files.find((file) => file.name === name),
    look: (id: string, occasion: Occasion = { waitSeconds: 60 }) =>
      lookAtDocuments({ kind: 'degree', id }, occasion, Date.now, {}),
    cancel: (id: string) =>
      changeDegree(
        own.caller,
        id,
        { event: 'canceled', reason: 'Wrong course', cancellationReason: 'Erro de Fato' },
        Date.now(),
      ),
    /** How long a task of a degree waits, in seconds; undefined where none does. */
    async waitOf(task: Task['task'], id: string): Promise<number | undefined> {
      const [found] = await getBatch(tableName('credentials'), [dueKey(`${task}:degree:${id}`)]);
      return found && (JSON.parse(found.body?.S ?? '') as { waitSeconds: number }).waitSeconds;
    },
    /** The events of a degree that are recorded for its webhook, by the types that they had then. */
    async recorded(id: string): Promise<string[]> {
      const rows = await everyItem('credentials');
      return rows
        .filter(({ sk, subject }) => sk?.S === 'EVENT' && subject?.S?.includes(id))
        .map(({ type }) => type?.S ?? '')
        .toSorted();
    },
    event: (body: unknown, apiKey = ownKey) =>
      call(receive, { headers: { 'X-API-Key': apiKey }, json: body }),
    async stop() {
      vi.useRealTimers();
      vi.unstubAllEnvs();
      platform.stop();
      sandbox.stop();
      await stopStores();
    },
  };
}
