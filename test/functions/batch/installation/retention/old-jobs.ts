import { randomUUID } from 'node:crypto';
import type { Origin } from '../../../../../functions/batch/jobs/domain/job/create-job.ts';
import { recordingInput } from '../../../../../functions/batch/jobs/domain/job/inputs.ts';
import {
  errorKey,
  type Job,
  jobs,
  newJob,
  outputKey,
} from '../../../../../functions/batch/jobs/domain/job/job.ts';
import { changingLists, jobList } from '../../../../../functions/batch/jobs/domain/job/list.ts';
import {
  claimingNames,
  outputHolders,
  reservingOutput,
} from '../../../../../functions/batch/jobs/domain/job/names.ts';
import { eventList, recordingEvent } from '../../../../../functions/batch/operations/domain/events.ts';
import { forEachConcurrently } from '../../../../../shared/async/for-each-concurrently.ts';
import { files } from '../../../../../shared/files/files.ts';
import { commit } from '../../../../../shared/store/commit.ts';
import type { Write } from '../../../../../shared/store/write.ts';

// Jobs that ended, written as the pipeline leaves them, in few commits. Of ten, seven are Completed, one of them without
// its output; two are Failed, with a file in error/ and their inputs; one was cleared, and its output and input stay.

type Made = {
  readonly job: Job;
  readonly kind: 'completed' | 'missing' | 'failed' | 'cleared';
  readonly writes: Write[];
};

const KINDS: readonly Made['kind'][] = [
  ...Array<'completed'>(6).fill('completed'),
  'missing',
  'failed',
  'failed',
  'cleared',
];

const JOBS_PER_COMMIT = 7;
const PUTS_AT_ONCE = 16;
const INPUT: NonNullable<Origin['input']> = { length: 1, etag: '"tag"' };

function make(n: number, nowMs: number): Made {
  const kind = KINDS[n % KINDS.length] ?? 'completed';
  const id = randomUUID();
  const fileName = `old-${n}.bin`;
  const inputKey = `uploads/${id}/${fileName}`;
  const created = newJob(
    {
      id,
      fileName,
      originalPath: null,
      folder: null,
      inputShare: null,
      inputKey,
      format: 'Cades',
      source: 'Upload',
      parentJobId: null,
      profileName: 'default',
      externalReference: null,
      encryption: null,
      encryptionEnabled: false,
    },
    'Uploaded.',
    nowMs,
  );
  const isFailed = kind === 'failed';
  const outputName = isFailed ? null : `${fileName}.p7m`;
  const job: Job = { ...created, state: isFailed ? 'Failed' : 'Completed', outputName };
  const writes: Write[] = [];
  if (kind !== 'cleared') writes.push(jobs.creating(job), ...changingLists(undefined, job));
  if (outputName !== null) writes.push(reservingOutput(outputName, id));
  if (kind === 'completed' || kind === 'missing')
    writes.push(...claimingNames(job, { rejectProcessed: true }));
  if (kind === 'failed' || kind === 'cleared')
    writes.push(recordingInput({ share: null, key: inputKey }, INPUT, id));
  writes.push(...recordingEvent({ type: 'JobCompleted', message: fileName, jobId: id }, nowMs));
  return { job, kind, writes };
}

const keysOf = ({ job, kind }: Made): string[] => [
  ...(job.outputName !== null && kind !== 'missing' ? [outputKey(job.outputName)] : []),
  ...(kind === 'failed' ? [errorKey(job, job.fileName)] : []),
  ...(kind === 'failed' || kind === 'cleared' ? [job.inputKey ?? ''] : []),
];

/** Makes so many, and tells what retention must count. */
export async function makeOldJobs(count: number, nowMs: number) {
  const made = Array.from({ length: count }, (_, n) => make(n, nowMs));
  const groups = Array.from({ length: Math.ceil(count / JOBS_PER_COMMIT) }, (_, n) =>
    made.slice(n * JOBS_PER_COMMIT, (n + 1) * JOBS_PER_COMMIT),
  );
  await forEachConcurrently(4, groups, (group) => commit(group.flatMap(({ writes }) => writes)));
  const put = (key: string) => files('batch').put(key, Buffer.from('x'), { contentType: 'text/plain' });
  await forEachConcurrently(PUTS_AT_ONCE, made.flatMap(keysOf), async (key) => void (await put(key)));
  const of = (...kinds: Made['kind'][]) => made.filter(({ kind }) => kinds.includes(kind)).length;
  return {
    expected: {
      jobsDeleted: of('completed', 'missing', 'failed'),
      outputFilesDeleted: of('completed', 'cleared'),
      errorFilesDeleted: of('failed'),
      operationalEventsDeleted: count,
      filesMissing: of('missing'),
      errors: 0,
    },
    outputNames: made.flatMap(({ job }) => job.outputName ?? []),
  };
}

/** Whatever is left of them: names of files and reservations, and counts of jobs and events that are not 0. */
export async function findLeft(outputNames: readonly string[]): Promise<string[]> {
  const left: string[] = [];
  for (const folder of ['output/', 'error/', 'uploads/', 'processing/'])
    left.push(...(await files('batch').list(folder)).files.map(({ key }) => key));
  left.push(...(await outputHolders(outputNames)).keys());
  const none = { offset: 0, limit: 0 };
  const totals = {
    jobs: (await jobList().slice(none)).total,
    'jobs of the profile': (await jobList({ profile: 'default' }).slice(none)).total,
    'failed jobs': (await jobList({ state: 'Failed' }).slice(none)).total,
    events: (await eventList('JobCompleted').slice(none)).total,
  };
  return [...left, ...Object.entries(totals).flatMap(([what, total]) => (total ? [`${total} ${what}`] : []))];
}
