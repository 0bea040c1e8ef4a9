import { files } from '../../../../../../shared/files/files.ts';
import type { ListedFile } from '../../../../../../shared/files/get.ts';
import { forgettingInput, readInputs } from '../../../../jobs/domain/job/inputs.ts';
import { jobs, outputKey, paymentsKey } from '../../../../jobs/domain/job/job.ts';
import { outputHolders, releasingOutput } from '../../../../jobs/domain/job/names.ts';
import { jobStates } from '../../../../jobs/domain/job/states.ts';
import { findUnsettled } from '../../../../jobs/domain/job/tasks.ts';
import { UPLOADS } from '../../../../jobs/domain/upload-file.ts';
import { settings } from '../../../../settings.ts';
import { workFiles } from '../../../../storage/domain/stores.ts';
import { PRESIGNED } from '../../../../storage-setting.ts';
import type { PendingFile, Run } from '../run-record.ts';
import type { FileStep } from './files.ts';

const pendingOf = ({ key, etag }: ListedFile, jobId: string | null = null): PendingFile => ({
  key,
  etag,
  jobId,
});

const OUTPUT = outputKey('');
const outputNameOf = (key: string): string => key.slice(OUTPUT.length);

/** Old outputs, whether their jobs are there or not. The name that a job reserved is free afterwards. */
const outputs: FileStep = {
  store: workFiles,
  folder: OUTPUT,
  days: () => settings['Retention:OutputDays'],
  count: 'outputFilesDeleted',
  async choose(old) {
    const holders = await outputHolders(old.map(({ key }) => outputNameOf(key)));
    const active = await findActive([...holders.values()]);
    return old
      .map((file) => pendingOf(file, holders.get(outputNameOf(file.key)) ?? null))
      .filter(({ jobId }) => jobId === null || !active.has(jobId));
  },
  forgetting: ({ key, jobId }) => (jobId === null ? [] : [releasingOutput(outputNameOf(key), jobId)]),
};

/** The job whose folder a file is in: error/<job>/…, uploads/<job>/… */
const jobIdOf = (folder: string, key: string): string => key.slice(folder.length).split('/')[0] ?? '';

const ERROR = 'error/';

const errorFiles: FileStep = {
  store: workFiles,
  folder: ERROR,
  days: () => settings['Retention:ErrorDays'],
  count: 'errorFilesDeleted',
  async choose(old) {
    const active = await findActive(old.map(({ key }) => jobIdOf(ERROR, key)));
    return old.filter(({ key }) => !active.has(jobIdOf(ERROR, key))).map((file) => pendingOf(file));
  },
};

// An upload that is still on its way, and a job that is being staged, are younger.
const LEFTOVER_DAYS = 1;

/**
 * Uploads that became no job, because their function was killed or the file was not the announced one. The input of a
 * job that was cleared stays as long as the job would have: somebody may ask for it.
 */
const uploadsIn = (folder: string): FileStep => ({
  store: async () => files('batch'),
  folder,
  days: () => LEFTOVER_DAYS,
  count: 'leftoversDeleted',
  async choose(old, run) {
    // First the jobs: the commit that deletes one records its input.
    const first = await findPresent(old.map(({ key }) => jobIdOf(folder, key)));
    const without = old.filter(({ key }) => !first.has(jobIdOf(folder, key)));
    const known = await readInputs(
      null,
      without.map(({ key }) => key),
    );
    const lastJobOf = ({ key }: ListedFile): string | undefined => known.get(key)?.jobId;
    const last = await findPresent(without.flatMap((file) => lastJobOf(file) ?? []));
    return without
      .filter((file) => !last.has(lastJobOf(file) ?? ''))
      .filter((file) => lastJobOf(file) === undefined || isOldAsJob(file, run))
      .map((file) => pendingOf(file, lastJobOf(file) ?? null));
  },
  forgetting: ({ key, jobId }) => (jobId === null ? [] : [forgettingInput({ share: null, key }, jobId)]),
});

const isOldAsJob = ({ modifiedAtMs }: ListedFile, run: Run): boolean =>
  modifiedAtMs < (run.dueBefore(settings['Retention:JobDays']) ?? 0);

const PROCESSING = 'processing/';

/**
 * Staged copies of jobs that do not exist, or have ended and are settled: a worker that was lost left them. What approvers
 * decided on goes with its job.
 */
const processing: FileStep = {
  store: workFiles,
  folder: PROCESSING,
  days: () => LEFTOVER_DAYS,
  count: 'leftoversDeleted',
  async choose(old) {
    const ids = [...new Set(old.map(({ key }) => jobIdOf(PROCESSING, key)))];
    const [present, unsettled] = await Promise.all([jobs.getMany(ids), findUnsettled(ids)]);
    const active = new Set(present.filter(({ state }) => !jobStates.isTerminal(state)).map(({ id }) => id));
    const decided = new Set(present.filter(({ approval }) => approval?.paymentsIndex).map(paymentsKey));
    return old
      .filter(({ key }) => {
        const id = jobIdOf(PROCESSING, key);
        return !active.has(id) && !unsettled.has(id) && !decided.has(key);
      })
      .map((file) => pendingOf(file));
  },
};

const findPresent = async (ids: readonly string[]): Promise<ReadonlySet<string>> =>
  new Set((await jobs.getMany([...new Set(ids)])).map(({ id }) => id));

/** Those of these jobs that exist and have not ended. */
async function findActive(ids: readonly string[]): Promise<ReadonlySet<string>> {
  const found = await jobs.getMany([...new Set(ids)]);
  return new Set(found.filter(({ state }) => !jobStates.isTerminal(state)).map(({ id }) => id));
}

export const FILE_STEPS = {
  outputs,
  errorFiles,
  uploads: uploadsIn(`${UPLOADS}/`),
  presigned: uploadsIn(`${PRESIGNED}/`),
  processing,
} as const;
