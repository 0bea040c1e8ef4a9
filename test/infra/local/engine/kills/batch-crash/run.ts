// Files of all kinds are uploaded while the engine is killed again and again.
import { setTimeout as pause } from 'node:timers/promises';
import { forEachConcurrently } from '../../../../../../shared/async/for-each-concurrently.ts';
import { type KillableEngine, secondsUntil, startKillable } from '../killed-work.ts';
import { type BatchApi, batchApi, type DetailedJob } from './api.ts';
import { type MixedFile, mixedFiles } from './files.ts';
import { createProfiles } from './profiles.ts';

const ENV = {
  RateLimiting__Upload__PermitLimit: '100000',
  RateLimiting__Actions__PermitLimit: '100000',
  Pipeline__PollIntervalSeconds: '2',
};
// More than there are slots: jobs and uploads of every stage are under way at a kill.
const UPLOADERS = 12;
const RETRY_MS = 250;
const GIVE_UP_SECONDS = 1_800;

/** What became of the uploads of one file. */
export type Upload = {
  readonly file: MixedFile;
  /** The job that an answer named. Undefined where a repetition was refused: the first upload counts. */
  readonly jobId: string | undefined;
  /** The requests without an answer, any of which may have become a job. */
  readonly unanswered: number;
  /** The code of a refusal that no lost answer explains. */
  readonly refused?: string;
};

export type CrashRun = {
  readonly engine: KillableEngine;
  readonly api: BatchApi;
  readonly kills: number;
  readonly maxConcurrency: number;
  readonly uploads: readonly Upload[];
  readonly jobs: readonly DetailedJob[];
  /** From the first upload until no job was unfinished, without the retries. */
  readonly seconds: number;
  readonly secondsDown: number;
};

type RunOptions = Pick<CrashRun, 'kills' | 'maxConcurrency'> & { readonly files: number };

/** Uploads files and kills the engine on the way, then retries the jobs that were interrupted. */
export async function runCrashes({ files, kills, maxConcurrency }: RunOptions): Promise<CrashRun> {
  const engine = await startKillable({ ...ENV, Pipeline__MaxConcurrency: String(maxConcurrency) });
  await createProfiles(engine.dataDir);
  const api = batchApi(engine.url);
  const uploads: Upload[] = [];
  const mixed = await mixedFiles(files);
  const startedAt = performance.now();
  const uploading = forEachConcurrently(UPLOADERS, mixed, async (file) => {
    uploads.push(await upload(api, file));
  });
  const killing = killOnTheWay(engine, kills, (part) => uploads.length >= files * part);
  const [secondsDown] = await Promise.all([killing, uploading]);
  await waitUntilFinished(api);
  const seconds = (performance.now() - startedAt) / 1000;
  await retryInterrupted(api);
  await waitUntilFinished(api);
  const { items } = await api.jobs();
  const jobs = await api.details(items.map(({ id }) => id));
  return { engine, api, kills, maxConcurrency, uploads, jobs, seconds, secondsDown };
}

/** Kills the engine each time another part of the files is uploaded. Answers how long it was down. */
export async function killOnTheWay(
  engine: KillableEngine,
  kills: number,
  isUploaded: (part: number) => boolean,
): Promise<number> {
  let seconds = 0;
  for (let kill = 1; kill <= kills; kill++) {
    await secondsUntil(async () => isUploaded(kill / (kills + 1)), GIVE_UP_SECONDS);
    const killedAt = performance.now();
    await engine.killAndRestart();
    seconds += (performance.now() - killedAt) / 1000;
  }
  return seconds;
}

// An answer that is lost leaves open whether the job exists. The same name again is either accepted or refused as a
// duplicate; the refusal means that the first one counts.
async function upload(api: BatchApi, file: MixedFile): Promise<Upload> {
  let unanswered = 0;
  for (;;) {
    try {
      const answer = await api.upload(file);
      const body = (await answer.json()) as { jobId?: string; code?: string };
      if (answer.status === 202) return { file, jobId: body.jobId, unanswered };
      if (isDuplicate(body) && unanswered > 0) return { file, jobId: undefined, unanswered };
      // The functions of a killed engine live a moment longer than its stores.
      if (answer.status < 500) return { file, jobId: undefined, unanswered, refused: body.code ?? '' };
      unanswered += 1;
    } catch (error) {
      if (!isNeverReached(error)) unanswered += 1;
    }
    await pause(RETRY_MS);
  }
}

const isDuplicate = ({ code }: { readonly code?: string }): boolean =>
  code === 'job.already-processing' || code === 'file.already-processed';

/** Nobody listened, so no job can exist. */
const isNeverReached = (error: unknown): boolean =>
  error instanceof Error && (error.cause as { code?: string } | undefined)?.code === 'ECONNREFUSED';

const UNFINISHED = ['Queued', 'Processing', 'Verifying'];

export async function waitUntilFinished(api: BatchApi): Promise<void> {
  const isFinished = async () => {
    for (const status of UNFINISHED) if ((await api.countJobs(`?status=${status}`)) > 0) return false;
    return true;
  };
  await secondsUntil(isFinished, GIVE_UP_SECONDS);
}

/** Retries every interrupted job whose file no other job has. */
export async function retryInterrupted(api: BatchApi): Promise<void> {
  const { items } = await api.jobs('?status=Failed');
  for (const { id } of items.filter(({ errorCode }) => errorCode === 'job.interrupted')) {
    const answer = await api.retry(id);
    const body = (await answer.json()) as { code?: string };
    if (answer.status !== 202 && !isDuplicate(body))
      throw new Error(`The retry of ${id} was refused: ${JSON.stringify(body)}`);
  }
}
