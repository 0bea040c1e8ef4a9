import { extname } from 'node:path';
import type { Readable } from 'node:stream';
import { resumeIteration } from '../../../../shared/async/resume-iteration.ts';
import type { Stored } from '../../../../shared/store/collection.ts';
import { errors } from '../../errors.ts';
import { findProfile } from '../../profiles/domain/find-profile.ts';
import { withWorkInReach, workFiles } from '../../storage/domain/stores.ts';
import { type Job, jobs, outputKey, requireJob } from './job/job.ts';
import { outputNameOf } from './job/output-names.ts';
import { requireAll } from './list-jobs.ts';

const MAX_ARCHIVED_JOBS = 50;

/** An open file of output/. The caller reads it to its end or destroys it. */
export type OpenOutput = {
  readonly name: string;
  readonly mediaType: string;
  readonly content: Readable;
  readonly length: number;
  /** When its job was completed. */
  readonly modifiedAtMs: number;
};

/** Whether the signed file of a job can be downloaded. `none`: it never had one, or has none yet. */
export async function findOutput(job: Stored<Job>): Promise<'there' | 'gone' | 'none'> {
  if (!hasOutput(job)) return 'none';
  const name = await presentNameOf(job);
  const isThere = name !== null && (await (await withWorkInReach(workFiles)).head(outputKey(name)));
  return isThere ? 'there' : 'gone';
}

/**
 * Divides jobs by whether their signed file can be downloaded. Refuses ids that `openOutputs` refuses, and not the jobs
 * that have no file.
 */
export async function divideByOutput(ids: readonly string[]): Promise<DividedJobs> {
  const found = await requireSelected(ids);
  const outputs = await Promise.all(found.map(findOutput));
  return {
    withFile: found.filter((_, index) => outputs[index] === 'there'),
    withoutFile: found.filter((_, index) => outputs[index] !== 'there'),
  };
}

type DividedJobs = { readonly withFile: readonly Job[]; readonly withoutFile: readonly Job[] };

type OutputOptions = {
  /** Under the name that it was released by, whatever the profile's rules are today. */
  readonly byOwnName?: boolean;
};

/** The signed file of a completed job, or the refusal job.output-unavailable or job.output-gone. */
export async function openOutput(id: string, { byOwnName = false }: OutputOptions = {}): Promise<OpenOutput> {
  const job = await requireJob(id);
  if (!hasOutput(job)) throw errors.refuse('job.output-unavailable', { status: job.state });
  const opened = await openNamed(job, byOwnName ? job.outputName : await presentNameOf(job));
  if (!opened) throw errors.refuse('job.output-gone');
  return opened;
}

/**
 * The signed files of several completed jobs, opened one after another. A file that has left output/ is left out; when
 * all have, the refusal is job.output-gone.
 */
export async function openOutputs(ids: readonly string[]): Promise<AsyncIterable<OpenOutput>> {
  const found = await requireSelected(ids);
  requireCompleted(found);
  const outputs = openEach(found);
  const first = await outputs.next();
  if (first.done) throw errors.refuse('job.output-gone');
  return resumeIteration(first.value, outputs);
}

async function requireSelected(ids: readonly string[]): Promise<Stored<Job>[]> {
  const distinct = [...new Set(ids.map((id) => id.toLowerCase()))];
  if (distinct.length === 0) throw errors.refuse('job.archive-empty');
  if (distinct.length > MAX_ARCHIVED_JOBS) throw errors.refuse('job.archive-too-large');
  const found = await jobs.getMany(distinct);
  requireAll(distinct, found);
  return found;
}

/** The refusal names each job. Its `fields` do so in production too, where the detail is not sent. */
function requireCompleted(found: readonly Job[]): void {
  const unavailable = found.filter((job) => !hasOutput(job)).map(({ id, state }) => `${id} (${state})`);
  if (unavailable.length === 0) return;
  const fields = unavailable.map((message) => ({ field: 'id', message }));
  throw errors.refuse('job.output-unavailable', { jobs: unavailable.join(', ') }, { fields });
}

/** A job that signed a document of the external service has no file. */
const hasOutput = ({ state, originalPath }: Job): boolean => state === 'Completed' && originalPath !== null;

async function* openEach(completed: readonly Stored<Job>[]): AsyncGenerator<OpenOutput> {
  for (const job of completed) {
    const opened = await openNamed(job, await presentNameOf(job));
    if (opened) yield opened;
  }
}

/**
 * The name that the profile's rules give today. Under a name that is not the job's own there may be a file of another
 * job, which is never given for this one's. Without a profile there are no rules, and its own name stands.
 */
async function presentNameOf(job: Stored<Job>): Promise<string | null> {
  const profile = await findProfile(job.profileName);
  const name = profile ? outputNameOf(job, profile) : job.outputName;
  return name === job.outputName ? name : null;
}

async function openNamed(job: Stored<Job>, name: string | null): Promise<OpenOutput | undefined> {
  if (name === null) return undefined;
  const opened = await (await withWorkInReach(workFiles)).get(outputKey(name));
  if (!opened) return undefined;
  const { stream: content, length } = opened;
  return { name, mediaType: mediaTypeOf(name), content, length, modifiedAtMs: job.updatedAtMs };
}

const MEDIA_TYPES: Readonly<Record<string, string>> = {
  '.pdf': 'application/pdf',
  '.xml': 'application/xml',
  '.p7m': 'application/pkcs7-mime',
  '.pem': 'application/x-pem-file',
};

const mediaTypeOf = (name: string): string =>
  MEDIA_TYPES[extname(name).toLowerCase()] ?? 'application/octet-stream';
