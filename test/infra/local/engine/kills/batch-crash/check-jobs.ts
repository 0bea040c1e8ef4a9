import { isInFlight, jobStates } from '../../../../../../functions/batch/jobs/domain/job/states.ts';
import type { DetailedJob } from './api.ts';
import type { CrashRun, Upload } from './run.ts';

const isInterrupted = ({ errorCode }: DetailedJob): boolean => errorCode === 'job.interrupted';

/** Every way in which the jobs of a run are not what its uploads must become. */
export function checkJobs({ uploads, jobs, kills, maxConcurrency }: CrashRun): string[] {
  const byName = Map.groupBy(jobs, ({ fileName }) => fileName);
  const known = new Set(uploads.map(({ file }) => file.name));
  const unknown = jobs.filter(({ fileName }) => !known.has(fileName));
  const interrupted = jobs.filter(isInterrupted).length;
  return [
    ...uploads.flatMap((upload) => checkUpload(upload, byName.get(upload.file.name) ?? [])),
    ...unknown.map(({ fileName }) => `${fileName} was never uploaded`),
    ...jobs.flatMap(checkHistory),
    ...(interrupted > kills * maxConcurrency
      ? [`${interrupted} jobs were interrupted by ${kills} kills`]
      : []),
  ];
}

/** One job of a name ends as its file must. Interrupted ones may precede it, and further ones of unanswered uploads. */
function checkUpload({ file, jobId, unanswered, refused }: Upload, jobs: readonly DetailedJob[]): string[] {
  const problems: string[] = [];
  const expect = (holds: boolean, problem: string): void =>
    void (holds || problems.push(`${file.name}: ${problem}`));
  const uploaded = jobs.filter(({ parentJobId }) => parentJobId === null);
  const ended = jobs.filter((job) => !isInterrupted(job));
  const accepted = jobId === undefined ? 0 : 1;
  expect(refused === undefined, `refused with ${refused}`);
  expect(uploaded.length >= 1, 'has no job');
  expect(uploaded.length <= accepted + unanswered, `${uploaded.length} jobs of fewer uploads`);
  expect(jobId === undefined || uploaded.some(({ id }) => id === jobId), `its job ${jobId} is gone`);
  if (file.failsWith === undefined) {
    expect(ended.length === 1, `${ended.length} jobs ended by themselves`);
    for (const { status, errorCode, errorMessage } of ended)
      expect(status === 'Completed', `${status}, ${errorCode}: ${errorMessage}`);
  } else {
    // A broken file frees its name, so a repeated upload of it is accepted.
    expect(ended.length >= 1, 'no job ended by itself');
    for (const { status, errorCode } of ended)
      expect(status === 'Failed' && errorCode === file.failsWith, `${status}, ${errorCode}`);
  }
  const isRetried = (job: DetailedJob) => jobs.some(({ parentJobId }) => parentJobId === job.id);
  for (const job of jobs.filter(isInterrupted)) {
    expect(job.status === 'Failed', `interrupted, but ${job.status}`);
    expect(isRetried(job) || ended.length > 0, 'interrupted, and neither retried nor uploaded again');
  }
  return problems;
}

/** A history is a walk of the state table that passes each state in flight at most once, and ends at the job's state. */
export function checkHistory({ id, status, history }: DetailedJob): string[] {
  const states = history.map((entry) => entry.status);
  const steps = states.slice(1).map((to, index) => [states[index] ?? 'Queued', to] as const);
  const isStep = ([from, to]: readonly [DetailedJob['status'], DetailedJob['status']]): boolean =>
    jobStates.events.some((event) => jobStates.next(from, event) === to);
  const inFlight = states.filter(isInFlight);
  const holds =
    states[0] === 'Queued' &&
    steps.every(isStep) &&
    states.at(-1) === status &&
    jobStates.isTerminal(status) &&
    new Set(inFlight).size === inFlight.length &&
    history.every((entry, index) => entry.id === index + 1) &&
    history.every(({ timestamp }, index) => timestamp >= (history[index - 1]?.timestamp ?? ''));
  return holds ? [] : [`job ${id}, ${status}: its history is ${JSON.stringify(history)}`];
}
