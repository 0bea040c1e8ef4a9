// Documents are put into a signer folder while the engine is killed again and again in the middle of a signature.
import { setTimeout as pause } from 'node:timers/promises';
import { SANDBOX_KEY, SIGNER_FOLDER_ID } from '../../../../../../functions/sandbox/sandbox-data.ts';
import { deadlineIn } from '../../../../../../shared/async/deadline.ts';
import { forEachConcurrently } from '../../../../../../shared/async/for-each-concurrently.ts';
import { platformClient } from '../../../../../../shared/platform/client.ts';
import { plainPdf } from '../../../../../shared/signing/pades/documents.ts';
import { type BatchApi, batchApi, type DetailedJob } from '../batch-crash/api.ts';
import { waitUntilFinished } from '../batch-crash/run.ts';
import { type KillableEngine, secondsUntil, startKillable } from '../killed-work.ts';
import { KILL_POINTS, type SignerProxy } from './proxy.ts';

const HOLDER = { name: 'Holder', cpf: '52998224725', email: '52998224725@sandbox.example', step: 1 };
const POSTERS = 4;
const RETRY_MS = 250;
const GIVE_UP_SECONDS = 900;
const LIST_LIMIT = 100;

/** A document of the folder, as the platform shows it at the end. */
export type SignedDocument = {
  readonly id: string;
  readonly filename: string;
  readonly status: string;
  readonly flowActions: readonly { readonly status: string; readonly completedBy: readonly unknown[] }[];
};

export type SignerFolderRun = {
  readonly documents: readonly SignedDocument[];
  /** The names that were put, each answered once. */
  readonly names: readonly string[];
  readonly jobs: readonly DetailedJob[];
  readonly accepted: ReadonlyMap<string, number>;
  readonly kills: number;
  readonly maxConcurrency: number;
  readonly seconds: number;
};

type RunOptions = Pick<SignerFolderRun, 'kills' | 'maxConcurrency'> & {
  readonly documents: number;
  readonly proxy: SignerProxy;
};

/** Puts documents and kills the engine on the way, then retries what was interrupted, as an operator does. */
export async function runSignerFolder(options: RunOptions): Promise<SignerFolderRun> {
  const { documents: count, kills, maxConcurrency, proxy } = options;
  const engine = await startKillable({
    RateLimiting__Actions__PermitLimit: '100000',
    Pipeline__PollIntervalSeconds: '2',
    Pipeline__MaxConcurrency: String(maxConcurrency),
    Signer__BaseAddress: proxy.url,
    Signer__ApiKey: SANDBOX_KEY,
    Signer__FolderSweepSeconds: '2',
  });
  proxy.forwardTo(`${engine.url}/documents`);
  const api = batchApi(engine.url);
  const pdf = await plainPdf('table');
  const names: string[] = [];
  const startedAt = performance.now();
  const putting = forEachConcurrently(POSTERS, Array(count).keys(), async (n) => {
    names.push(await put(engine, pdf, `document-${n}`));
  });
  const killing = killInSignatures(engine, proxy, kills);
  await Promise.all([putting, killing]);
  await waitUntilTaken(engine, api);
  await retryInterrupted(api);
  await waitUntilFinished(api);
  const seconds = (performance.now() - startedAt) / 1000;
  const { items } = await api.jobs('?profile=signer-folder');
  const jobs = await api.details(items.map(({ id }) => id));
  const documents = await listDocuments(engine);
  return { documents, names, jobs, accepted: proxy.accepted, kills, maxConcurrency, seconds };
}

/** Kills the engine in the middle of a signature, each time at the next point. */
async function killInSignatures(engine: KillableEngine, proxy: SignerProxy, kills: number): Promise<void> {
  for (let kill = 0; kill < kills; kill++) {
    const point = KILL_POINTS[kill % KILL_POINTS.length] ?? 'started';
    await proxy.holdAt(point);
    await engine.killAndRestart();
  }
}

/** A put without an answer may have created the document: the next one has another name. */
async function put({ url }: KillableEngine, pdf: Buffer, name: string): Promise<string> {
  const client = platformClient({
    address: `${url}/documents`,
    apiKey: SANDBOX_KEY,
    requestTimeoutMs: 20_000,
  });
  for (let attempt = 0; ; attempt++) {
    const fileName = `${name}-${attempt}.pdf`;
    const within = deadlineIn(20_000, Date.now);
    try {
      await client.createDocument(
        {
          upload: await client.uploadFile({ bytes: pdf, fileName }, within),
          contentType: 'application/pdf',
          signers: [HOLDER],
          folderId: SIGNER_FOLDER_ID,
          tag: { label: 'run', value: fileName },
          disableNotifications: true,
        },
        within,
      );
      return fileName;
    } catch {
      await pause(RETRY_MS);
    }
  }
}

/** Every document has a job, and no job is unfinished. */
async function waitUntilTaken(engine: KillableEngine, api: BatchApi): Promise<void> {
  const documents = await listDocuments(engine);
  const isTaken = async () => (await api.countJobs('?profile=signer-folder')) >= documents.length;
  await secondsUntil(isTaken, GIVE_UP_SECONDS);
  await waitUntilFinished(api);
}

async function retryInterrupted(api: BatchApi): Promise<void> {
  const { items } = await api.jobs('?status=Failed');
  for (const { id } of items.filter(({ errorCode }) => errorCode === 'signer-folder.interrupted')) {
    const answer = await api.retry(id);
    if (answer.status !== 202) throw new Error(`The retry of ${id} was refused: ${await answer.text()}`);
  }
}

async function listDocuments({ url }: KillableEngine): Promise<SignedDocument[]> {
  const found: SignedDocument[] = [];
  let cursor: string | null = '';
  do {
    const query = new URLSearchParams({ folderId: SIGNER_FOLDER_ID, limit: String(LIST_LIMIT) });
    if (cursor) query.set('cursor', cursor);
    const answer = await fetch(`${url}/documents/api/documents?${query}`, {
      headers: { 'x-api-key': SANDBOX_KEY },
    });
    const page = (await answer.json()) as { items: SignedDocument[]; nextCursor?: string | null };
    found.push(...page.items);
    cursor = page.nextCursor ?? null;
  } while (cursor);
  return found;
}
