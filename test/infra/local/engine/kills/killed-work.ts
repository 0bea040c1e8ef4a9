// An engine that is killed while it works, and what became of the work after its restart.
import { setTimeout as pause } from 'node:timers/promises';
import { paginateScan } from '@aws-sdk/client-dynamodb';
import { GetQueueAttributesCommand, GetQueueUrlCommand } from '@aws-sdk/client-sqs';
import { ORGANIZATION_ID, SANDBOX_KEY } from '../../../../../functions/sandbox/sandbox-data.ts';
import { deadLetterName, type ServiceName, tableName } from '../../../../../shared/settings/names.ts';
import { plainPdf } from '../../../../shared/signing/pades/documents.ts';
import { type EngineProcess, startEngineProcess } from '../engine-process.ts';
import { onStoresOf } from '../engine-stores.ts';

const headers = { 'x-api-key': SANDBOX_KEY, 'content-type': 'application/json' };
// DocumentConcluded is told at once and not a minute later.
export const DOCUMENTS_ENV = { DocumentConcludedWebhookDelayInSeconds: '0' };

export type KillableEngine = Awaited<ReturnType<typeof startKillable>>;

/** An engine that can be killed and started again, on the same port and folder, with the same settings. */
export async function startKillable(env: Record<string, string> = DOCUMENTS_ENV) {
  let engine: EngineProcess = await startEngineProcess({ env });
  await engine.ready();
  const { dataDir, url } = engine;
  return {
    url,
    dataDir,
    /** kill -9, and a start with no pause. Answers when the new engine is ready. */
    async killAndRestart(): Promise<void> {
      engine = await killAndRestart(engine, env);
    },
  };
}

/** The new engine, on the same port and folder. */
export async function killAndRestart(
  { process, exited, port, dataDir }: EngineProcess,
  env: Record<string, string>,
): Promise<EngineProcess> {
  process.kill('SIGKILL');
  await exited;
  return restart({ env, port, dataDir });
}

const MAX_STARTS = 3;
// The processes of a killed engine leave when they find it gone, on a busy machine after some seconds.
const PORT_TAKEN = /was taken while starting|is taken by another program/;

type RestartOptions = Parameters<typeof startEngineProcess>[0];

async function restart(options: RestartOptions, starts = 1): Promise<EngineProcess> {
  const engine = await startEngineProcess(options);
  try {
    await engine.ready();
    return engine;
  } catch (error) {
    if (starts === MAX_STARTS || !PORT_TAKEN.test(String(error))) throw error;
    return restart(options, starts + 1);
  }
}

async function post(url: string, body: object): Promise<Record<string, unknown>> {
  const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`POST ${url} was answered ${answer.status}: ${await answer.text()}`);
  return (await answer.json()) as Record<string, unknown>;
}

/** Registers the sandbox's receiver of this name for the events of its organization. */
export async function registerReceiver({ url }: { url: string }, name: string): Promise<void> {
  await post(`${url}/documents/api/organizations/${ORGANIZATION_ID}/webhooks`, {
    url: `${url}/sandbox/receiver/${name}`,
    authType: 'Bearer',
    token: 'a-long-random-token',
  });
}

/** Signs a PDF under a session of its own. Answers the id as soon as the signature is acknowledged. */
export async function signOne({ url }: { url: string }): Promise<string> {
  const { sessionId } = await post(`${url}/session/v1/sessions`, { cpf: '52998224725', pin: '1234' });
  const document = (await plainPdf('table')).toString('base64');
  const { signatureId } = await post(`${url}/session/v1/signatures`, {
    sessionId,
    document,
    fileName: 'contrato.pdf',
  });
  return String(signatureId);
}

type Delivery = { headers: Record<string, string>; status: number; body: string };

/** The state of a document, and its events that reached the receiver: each once, however often it was delivered. */
export async function outcomeOf({ url }: { url: string }, receiver: string, id: string) {
  const [document, deliveries] = await Promise.all([
    fetch(`${url}/documents/api/documents/${id}`, { headers }),
    fetch(`${url}/sandbox/receiver/${receiver}`),
  ]);
  const { status } = (await document.json()) as { status: string };
  const { items } = (await deliveries.json()) as { items: Delivery[] };
  const events = new Map<string | undefined, string>();
  for (const { headers, body } of items) {
    const { type, data } = JSON.parse(body) as { type: string; data: { id?: string } };
    if (data.id === id) events.set(headers['webhook-id'], type);
  }
  return { status, events: [...events.values()].toSorted() };
}

export const CONCLUDED = { status: 'Concluded', events: ['DocumentConcluded', 'DocumentSigned'] };

/** Asks the platform to delete a folder or, with the path of the operator, an organization. */
export async function requestDeletion({ url }: { url: string }, path: string): Promise<void> {
  const answer = await fetch(`${url}/documents/api/${path}`, { method: 'DELETE', headers });
  if (!answer.ok) throw new Error(`${path} was not deleted: ${answer.status} ${await answer.text()}`);
}

/** The documents in a folder or an organization that are still in the table. */
export async function documentsLeft(
  { dataDir }: { dataDir: string },
  place: { folderId: string } | { organizationId: string },
): Promise<number> {
  const [[field, id] = ['', '']] = Object.entries(place);
  const documents = {
    TableName: tableName('documents'),
    FilterExpression: '#place = :id AND begins_with(pk, :document) AND attribute_exists(original)',
    ExpressionAttributeNames: { '#place': field },
    ExpressionAttributeValues: { ':id': { S: id }, ':document': { S: 'DOCUMENT#' } },
    Select: 'COUNT',
  } as const;
  return onStoresOf(dataDir, async ({ dynamo: client }) => {
    let left = 0;
    for await (const { Count = 0 } of paginateScan({ client }, documents)) left += Count;
    return left;
  });
}

/** The messages that the platform's queue of tasks has given up. */
export const deadTasks = (engine: { dataDir: string }): Promise<number> =>
  deadLetters(engine, 'documents', 'tasks');

/** The messages that a queue has given up. */
export async function deadLetters(
  { dataDir }: { dataDir: string },
  service: ServiceName,
  queue: string,
): Promise<number> {
  return onStoresOf(dataDir, async ({ sqs }) => {
    const name = new GetQueueUrlCommand({ QueueName: deadLetterName(service, queue) });
    const { QueueUrl } = await sqs.send(name);
    const { Attributes } = await sqs.send(
      new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['ApproximateNumberOfMessages'] }),
    );
    return Number(Attributes?.ApproximateNumberOfMessages);
  });
}

const LOOK_EVERY_MS = 250;

/** The seconds until something is so; those of giving up, where it is not until then. */
export async function secondsUntil(isSo: () => Promise<boolean>, giveUpSeconds: number): Promise<number> {
  const startedAt = performance.now();
  for (;;) {
    const seconds = (performance.now() - startedAt) / 1000;
    if (seconds >= giveUpSeconds || (await isSo())) return seconds;
    await pause(LOOK_EVERY_MS);
  }
}
