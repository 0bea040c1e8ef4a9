import { isConcluded } from '../../../../../../shared/platform/documents.ts';
import type { DetailedJob } from '../batch-crash/api.ts';
import type { SignedDocument, SignerFolderRun } from './run.ts';

/** Everything that does not add up after a run. */
export function checkSignerFolder(run: SignerFolderRun): string[] {
  const { documents, names, jobs, accepted, kills, maxConcurrency } = run;
  const byName = Map.groupBy(jobs, ({ fileName }) => fileName);
  const interrupted = jobs.filter(({ errorCode }) => errorCode !== null).length;
  const found = new Set(documents.map(({ filename }) => filename));
  return [
    ...names.filter((name) => !found.has(name)).map((name) => `${name} is lost`),
    ...documents.flatMap((document) => checkDocument(document, byName.get(document.filename) ?? [])),
    ...jobs.flatMap(checkHistory),
    ...[...accepted].filter(([, times]) => times > 1).map(([key]) => `${key} was signed twice`),
    ...(interrupted > kills * maxConcurrency ? [`${interrupted} jobs failed by ${kills} kills`] : []),
  ];
}

/** A job may return to the queue, as long as it never reached the key. */
const RUN = /^Queued (Processing Queued )*Processing (Verifying Completed|Failed)$/;

function checkHistory({ id, history }: DetailedJob): string[] {
  const states = history.map(({ status }) => status).join(' ');
  return RUN.test(states) ? [] : [`job ${id}: ${states}`];
}

/** Signed once; one job completed, and before it only jobs that were interrupted. */
function checkDocument(document: SignedDocument, jobs: readonly DetailedJob[]): string[] {
  const { filename, status, flowActions } = document;
  const completions = flowActions.flatMap(({ completedBy }) => completedBy).length;
  const completed = jobs.filter((job) => job.status === 'Completed').length;
  const others = jobs.filter(
    (job) => job.status !== 'Completed' && job.errorCode !== 'signer-folder.interrupted',
  );
  return [
    ...(isConcluded(status) && completions === 1
      ? []
      : [`${filename}: ${status}, ${completions} signatures`]),
    ...(completed === 1 ? [] : [`${filename}: ${completed} completed jobs`]),
    ...others.map((job) => `${filename}: ${job.status}, ${job.errorCode}`),
  ];
}
