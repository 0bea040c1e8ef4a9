import { createHash, randomUUID } from 'node:crypto';
import { vi } from 'vitest';
import { TASKS_QUEUE, type Task } from '../../../../functions/credentials/flows/domain/tasks.ts';
import type { DegreeData, RestampData } from '../../../../functions/credentials/items/domain/data.ts';
import { type Item, items, signedKey } from '../../../../functions/credentials/items/domain/item.ts';
import { handler as runTask } from '../../../../functions/credentials/workers/run-task.ts';
import { signerOf } from '../../../../functions/sandbox/authority/domain/authority.ts';
import { timestampAuthorityProfile } from '../../../../functions/sandbox/authority/domain/issuing/profiles.ts';
import {
  answerTimestamp,
  type TimestampAuthority,
} from '../../../../functions/sandbox/authority/domain/issuing/timestamp.ts';
import { files } from '../../../../shared/files/files.ts';
import { sendDueMessages } from '../../../../shared/queue/outbox.ts';
import { scheduleHandler } from '../../../../shared/queue/schedule.ts';
import type { Stamp } from '../../../../shared/signing/cms/stamp.ts';
import { localKey } from '../../../../shared/signing/key.ts';
import { stampWith } from '../../../../shared/signing/timestamp/client.ts';
import { signXades } from '../../../../shared/signing/xades/sign.ts';
import type { Stored } from '../../../../shared/store/collection.ts';
import { below, testKey } from '../../../certificates/pki.ts';
import { serveSandbox } from '../../../cli/sandbox.ts';
import { startServer } from '../../../shared/net/a-server.ts';
import { everyItem } from '../../../stores/whole-table.ts';
import { drainQueue } from '../../drain-queue.ts';
import { ownStores } from '../../own-stores.ts';
import { keyOf, ownTenant } from '../items/own-tenant.ts';

export const DAY_MS = 86_400_000;
export const FILE = 'diploma';
export const SIGNER = '52998224725';

export type Restamp = Stored<Item<RestampData>>;
export type Stage = Awaited<ReturnType<typeof restampStage>>;

/** What an authority of the test does with a request: answers it as one, or this. */
type Answer = (request: Buffer) => Promise<{ readonly status: number; readonly bytes: Buffer }>;

/** Stores of its own, the sandbox's authority, and timestamp authorities that obey the test. */
export async function restampStage() {
  const stop = await ownStores();
  const sandbox = await serveSandbox();
  const intermediate = { ...signerOf(sandbox.authority, 'intermediate'), chain: [] };
  vi.stubEnv('Certificates__TrustAnchors', sandbox.pki('root.crt'));
  vi.stubEnv('Network__AllowPrivateAddresses', 'true');

  const answers = new Map<string, Answer>();
  const asked: string[] = [];
  const server = await startServer(async (request, response) => {
    const name = String(request.url).slice(1);
    asked.push(name);
    const answer = answers.get(name);
    if (!answer) return void request.socket.destroy();
    const { status, bytes } = await answer(Buffer.concat(await request.toArray()));
    response.writeHead(status).end(bytes);
  });

  return {
    sandbox,
    /** The address of the sandbox's own authority. */
    timestampUrl: `${sandbox.url}/sandbox/pki/timestamp`,
    /** The names of the test's authorities that were asked. */
    asked,
    /** Another authority, certified by one of the sandbox until then. Its clock is the test's. */
    authority(endsAtMs: number, now: () => number, by = 'intermediate'): TimestampAuthority {
      const issuer = { ...signerOf(sandbox.authority, by), chain: [] };
      const { certificate, privateKey } = below(issuer, testKey('p256', 'tsa'), (keys) => ({
        subject: [['commonName', 'Test Timestamps']],
        notBeforeMs: Date.now() - DAY_MS,
        notAfterMs: endsAtMs,
        extensions: timestampAuthorityProfile(keys),
      }));
      return {
        key: localKey(privateKey, certificate, [issuer.certificate]),
        policy: '2.16.76.1.6.999',
        now,
        nextSerialNumber: () => BigInt(`0x${randomUUID().replaceAll('-', '')}`),
      };
    },
    /** Serves an authority under a name and answers its address. */
    serve(name: string, answer: Answer): string {
      answers.set(name, answer);
      return `${server.url}/${name}`;
    },
    /** The address of an authority that hangs up. */
    down: `${server.url}/down`,
    useAuthorities: (...urls: readonly string[]) =>
      vi.stubEnv('Restamps__TimestampAuthorities', urls.length > 0 ? urls.join(',') : undefined),
    holder(cpf: string) {
      const { privateKey, certificate } = signerOf(sandbox.authority, cpf);
      return localKey(privateKey, certificate, [intermediate.certificate]);
    },
    async stop() {
      vi.unstubAllEnvs();
      sandbox.stop();
      await server.stop();
      await stop();
    },
  };
}

export const answeringAs =
  (authority: TimestampAuthority): Answer =>
  async (request) => ({ status: 200, bytes: await answerTimestamp(request, authority) });

/** An authority as the stamp of a signature. */
export const stampBy = (authority: TimestampAuthority): Stamp =>
  stampWith({
    authorities: [{ url: 'http://authority.test/' }],
    post: async (_, request) => ({ status: 200, bytes: await answerTimestamp(request, authority) }),
    now: authority.now,
  });

/** An organization with an institute, and a key that is scoped to it. */
export async function anOrganization() {
  const tenant = await ownTenant({
    signers: [{ name: 'Signer', cpf: SIGNER, email: 'signer@example.com', step: 1 }],
  });
  return { ...tenant, instituteId: tenant.institute.id, headers: await keyOf(tenant) };
}

type Owner = Pick<Item, 'organizationId' | 'instituteId'>;

/** A concluded degree whose signed file is in the bucket, or one that waits for its signature. */
export async function aDegree(
  stage: Pick<Stage, 'holder'>,
  { organizationId, instituteId }: Owner,
  { stamp, isSigned = true }: { readonly stamp?: Stamp; readonly isSigned?: boolean } = {},
) {
  const id = randomUUID();
  const options = { signingTimeMs: Date.now(), stamp };
  const xml = Buffer.from(`<Diploma><Curso>${id}</Curso></Diploma>`);
  const signed = isSigned ? await signXades(xml, stage.holder(SIGNER), options) : undefined;
  const sha256 = createHash('sha256')
    .update(signed ?? xml)
    .digest('hex');
  const degree: Item<Partial<DegreeData>> = {
    ...{ kind: 'degree', id, organizationId, instituteId, state: isSigned ? 'Concluded' : 'Created' },
    ...{ lastEvents: { Degree: 'created' }, createdAtMs: Date.now(), updatedAtMs: Date.now() },
    ...{ reason: null, cancellationReason: null, searchable: { text: 'Maria', course: 'Direito' }, data: {} },
    files: [
      {
        ...{ name: FILE, sha256, length: xml.length, document: null, problem: null },
        signed: signed ? { sha256, length: signed.length, atMs: Date.now() } : null,
      },
    ],
  };
  await items.create(degree);
  if (signed)
    await files('credentials').put(signedKey(degree, FILE, { sha256 }), signed, { contentType: 'text/xml' });
  return { degree, id, signed: signed ?? Buffer.alloc(0) };
}

export const requestFor = (documentId: string) => ({
  ...({ documentType: 'Degree', documentId, identifier: FILE } as const),
});

export const readRestamp = async (id: string): Promise<Restamp> =>
  (await items.get({ kind: 'restamp', id })) as Restamp;

/** Runs every task on the queue. Answers their names. */
export const runTasks = async (): Promise<string[]> =>
  (await drainQueue<Task>('credentials', TASKS_QUEUE, runTask)).map(({ task }) => task);

/** The same, after the sweep of that time has sent the due messages. */
export async function runTasksAt(atMs: number): Promise<string[]> {
  await scheduleHandler('credentials', 'send-due', sendDueMessages('credentials'), () => atMs)();
  return runTasks();
}

/** The tasks that wait for their time, by what they are about. */
export async function tasksAbout(id: string): Promise<{ readonly task: string; readonly dueAt: number }[]> {
  const rows = (await everyItem('credentials')).filter(
    ({ sk, body }) => sk?.S === 'DUE' && body?.S?.includes(id),
  );
  return rows.map(({ body, dueAt }) => ({
    task: (JSON.parse(body?.S ?? '') as Task).task,
    dueAt: Number(dueAt?.N),
  }));
}
