import { randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { PutItemCommand } from '@aws-sdk/client-dynamodb';
import { type Job, jobs, outputKey } from '../../../../functions/batch/jobs/domain/job/job.ts';
import { jobList } from '../../../../functions/batch/jobs/domain/job/list.ts';
import { readFlight } from '../../../../functions/batch/pipeline/domain/flight.ts';
import { runPipeline } from '../../../../functions/batch/pipeline/domain/run-pipeline.ts';
import { findProfile } from '../../../../functions/batch/profiles/domain/find-profile.ts';
import { openProfile } from '../../../../functions/batch/profiles/domain/open-profile.ts';
import { files } from '../../../../shared/files/files.ts';
import { tableName } from '../../../../shared/settings/names.ts';
import { signFile } from '../../../../shared/signing/sign-file.ts';
import { verifySignedFile } from '../../../../shared/signing/verification/verify-signed-file.ts';
import { dynamo } from '../../../../shared/store/client.ts';
import { toAttributes } from '../../../../shared/store/item.ts';
import { type Figure, median } from '../../measure/figures.ts';
import { rawPdf } from '../../measure/raw-pdf.ts';
import { inPercent, type Shares, sharesOf } from './waiting.ts';
import { startWorld } from './world.ts';

const PDF_BYTES = 100 * 1024;
const JOBS = 30;
const ROUNDS = 3;

// Run by batch.ts in a process of its own, which is that of the worker.

export type WorkerRun = { readonly figure: Figure; readonly shares: Shares };

/** A worker alone, claim to Completed, against a bare loop of the same reads, signatures, verifications and puts. */
async function workerFigure(): Promise<WorkerRun> {
  const world = await startWorld();
  try {
    const pdf = rawPdf(PDF_BYTES);
    const queue = async (): Promise<void> => {
      for (let n = 0; n < JOBS; n++) await world.upload(pdf);
    };
    const ours = () => runPipeline(world.worker);
    await queue();
    await ours();
    await runBare(await putInputs(pdf));
    const rounds: { ours: number; bare: number }[] = [];
    for (let n = 0; n < ROUNDS; n++) {
      await queue();
      const inputs = await putInputs(pdf);
      rounds.push({ bare: await jobsPerSecond(() => runBare(inputs)), ours: await jobsPerSecond(ours) });
    }
    const shares = await sharesOf(async () => {
      await queue();
      await ours();
    });
    const middle = (name: 'ours' | 'bare') => median(rounds.map((round) => round[name])).toFixed(1);
    const figure = {
      name: 'a batch worker alone, claim to Completed, against a bare loop of the same reads, signatures, verifications and puts',
      ratio: median(rounds.map((round) => round.ours / round.bare)),
      promised: { atLeast: 0.5 },
      detail: `${middle('ours')} and ${middle('bare')} files/s, one at a time; upload and job: ${inPercent(shares)}`,
    };
    return { figure, shares };
  } finally {
    await world.stop();
  }
}

async function jobsPerSecond(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return (JOBS * 1000) / (performance.now() - startedAt);
}

type Input = Pick<Job, 'id' | 'fileName'> & { readonly key: string };

const putInputs = (pdf: Uint8Array): Promise<Input[]> =>
  Promise.all(
    Array.from({ length: JOBS }, async () => {
      const [id, fileName] = [randomUUID(), 'bare.pdf'];
      const key = `uploads/${id}/${fileName}`;
      await files('batch').put(key, pdf, { contentType: 'application/pdf' });
      return { id, fileName, key };
    }),
  );

/** What a script would do with these files: no lists, names, events, metrics or outbox. */
async function runBare(inputs: readonly Input[]): Promise<void> {
  const profile = await findProfile();
  if (!profile) throw new Error('There is no default profile.');
  const { signer } = await openProfile(profile);
  if (!signer) throw new Error('The profile has no key.');
  const store = files('batch');
  const folder = await mkdtemp(join(tmpdir(), 'sinete-bare-'));
  const [input, signed] = [join(folder, 'input'), join(folder, 'signed')];
  for (const job of inputs) {
    const { key } = job;
    await readFlight();
    await jobList({ state: 'Queued' }).walk({ oldestFirst: true, limit: 1 });
    await jobs.get(job.id);
    await keep(job, 'Processing');
    await pipeline(await opened(key), createWriteStream(input));
    await signFile(input, signed, { format: 'pades', key: signer, signingTimeMs: Date.now(), pem: false });
    await keep(job, 'Verifying');
    const verified = { format: 'pades', atMs: Date.now(), signer: signer.certificate } as const;
    if (!(await verifySignedFile(signed, verified)).ok) throw new Error('It does not verify.');
    await store.put(outputKey(`bare-${job.id}`), createReadStream(signed), {
      contentType: 'application/pdf',
    });
    await keep(job, 'Completed');
    await store.remove(key);
  }
  await rm(folder, { recursive: true });
}

const opened = async (key: string) => {
  const found = await files('batch').get(key);
  if (!found) throw new Error(`There is no file ${key}.`);
  return found.stream;
};

const keep = ({ id, fileName }: Pick<Job, 'id' | 'fileName'>, state: string) =>
  dynamo().send(
    new PutItemCommand({
      TableName: tableName('batch'),
      Item: toAttributes({ pk: `BARE#${id}`, sk: 'JOB', fileName, state }),
    }),
  );

process.send?.(await workerFigure(), () => process.exit(0));
