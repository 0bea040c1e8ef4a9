import { JobStatus } from '../../../../../../functions/batch/jobs/contract/job.ts';
import { parsePrometheus } from '../../../../../functions/batch/operations/prometheus.ts';
import type { DetailedJob } from './api.ts';
import { PROFILES } from './files.ts';
import type { CrashRun } from './run.ts';

type Counts = Readonly<Record<string, number>>;

/** Every list, event count and metric of a run that is not a recount of its jobs. */
export async function checkCounts(run: CrashRun): Promise<string[]> {
  return [...(await checkLists(run)), ...(await checkEvents(run)), ...(await checkMetrics(run))];
}

/** All jobs, those of each status, of each profile, and of both. */
async function checkLists({ api, jobs }: CrashRun): Promise<string[]> {
  const problems: string[] = [];
  const profiles = [undefined, ...Object.values(PROFILES)];
  for (const profile of profiles) {
    for (const status of [undefined, ...JobStatus.options]) {
      const filter = new URLSearchParams({ ...(profile && { profile }), ...(status && { status }) });
      const expected = jobs.filter(
        (job) => (!profile || job.profileName === profile) && (!status || job.status === status),
      );
      const { items, totalCount } = await api.jobs(filter.size > 0 ? `?${filter}` : '');
      const ids = (found: readonly { readonly id: string }[]) =>
        found
          .map(({ id }) => id)
          .toSorted()
          .join();
      if (totalCount !== expected.length || ids(items) !== ids(expected))
        problems.push(
          `jobs?${filter}: ${totalCount} counted, ${items.length} listed, ${expected.length} exist`,
        );
    }
  }
  return problems;
}

const having = (jobs: readonly DetailedJob[], wanted: Partial<DetailedJob>): number =>
  jobs.filter((job) =>
    Object.entries(wanted).every(([field, value]) => job[field as keyof DetailedJob] === value),
  ).length;

const stepsTo = (jobs: readonly DetailedJob[], status: DetailedJob['status']): number =>
  jobs.flatMap(({ history }) => history).filter((entry) => entry.status === status).length;

async function checkEvents({ api, jobs }: CrashRun): Promise<string[]> {
  const expected: Counts = {
    JobCreated: jobs.length,
    JobPickedForProcessing: stepsTo(jobs, 'Processing'),
    OutputFileCreated: having(jobs, { status: 'Completed' }),
    JobCompleted: having(jobs, { status: 'Completed' }),
    JobFailed: having(jobs, { status: 'Failed' }),
    Cnab240ValidationFailed: having(jobs, { errorCode: 'cnab240.invalid' }),
    Cnab240PaymentDatePassed: having(jobs, { errorCode: 'cnab240.payment-date-passed' }),
  };
  // The engine's own, and those of the operator before the run.
  const others = ['FolderAssigned', 'ProfileChanged', 'ServiceStopped'];
  const { items, totalCount } = await api.events();
  const listed = items.filter(({ type }) => !others.includes(type));
  const counted: Record<string, number> = {};
  for (const { type } of listed) counted[type] = (counted[type] ?? 0) + 1;
  const problems = differences('events', expected, counted);
  if (totalCount !== items.length) problems.push(`events: ${totalCount} counted, ${items.length} listed`);
  for (const [type, count] of Object.entries(expected)) {
    const ofType = await api.events(`?type=${type}`);
    if (ofType.totalCount !== count) problems.push(`events?type=${type}: ${ofType.totalCount}, not ${count}`);
  }
  return problems;
}

/** Every counter of the service and the counts of its histograms: those that the run does not count are 0 or absent. */
async function checkMetrics({ api, jobs }: CrashRun): Promise<string[]> {
  const completed = jobs.filter(({ status }) => status === 'Completed');
  const { unchecked, encrypted } = PROFILES;
  const uncheckedJobs = having(completed, { profileName: unchecked });
  const expected: Record<string, number> = {
    'bulk_jobs_enqueued_total (upload)': jobs.length,
    bulk_jobs_completed_total: completed.length,
    bulk_jobs_failed_total: having(jobs, { status: 'Failed' }),
    [`bulk_jobs_verify_skipped_total ${unchecked}`]: uncheckedJobs,
    bulk_files_encrypted_total: having(completed, { profileName: encrypted }),
    [`bulk_cnab240_payment_date_checks_skipped_total ${unchecked}`]: uncheckedJobs,
    bulk_cluster_instances_live: 1,
  };
  for (const format of ['Pades', 'Cades', 'Xades'] as const)
    expected[`bulk_signing_duration_seconds_count ${format}`] = having(completed, { format });
  const measured: Record<string, number> = {};
  for (const { type, samples } of parsePrometheus(await api.metrics()).values())
    for (const { name, labels, value } of samples)
      if (value !== 0 && (type !== 'histogram' || name.endsWith('_count')))
        measured[[name, ...Object.values(labels)].join(' ')] = value;
  return differences('metrics', expected, measured);
}

function differences(what: string, expected: Counts, found: Counts): string[] {
  const names = new Set([...Object.keys(expected), ...Object.keys(found)]);
  return [...names]
    .filter((name) => (expected[name] ?? 0) !== (found[name] ?? 0))
    .map((name) => `${what}: ${name} is ${found[name] ?? 0}, not ${expected[name] ?? 0}`);
}
