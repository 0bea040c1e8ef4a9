import type { ListedEntry } from '../../../../../shared/store/lists/entries.ts';
import { type Entry, numberedList } from '../../../../../shared/store/lists/numbered-list.ts';
import type { Write } from '../../../../../shared/store/write.ts';
import { LEDGER } from '../../../operations/domain/events.ts';
import type { Job, JobFormat, JobSource } from './job.ts';
import { isInFlight, type JobState, jobStates } from './states.ts';

/** The states with a view of their own. Jobs in flight are few, and are found by their slots. */
export type ListedState = Exclude<JobState, 'Processing' | 'Verifying'>;

/** The states that no event leads out of. */
export const FINISHED = jobStates.states.filter(jobStates.isTerminal) as readonly ListedState[];

/** All jobs, or those of one profile; of every state, or of some that are listed. Newest first. */
export const jobList = ({
  profile,
  state,
}: {
  readonly profile?: string;
  readonly state?: ListedState | readonly ListedState[];
} = {}) =>
  numberedList({
    service: 'batch',
    // A list for each profile: in one tree, the counts of many profiles would outgrow an item.
    name: profile === undefined ? 'jobs' : `jobs/${profile}`,
    ledger: LEDGER,
    ...(state && { views: [state].flat() }),
  });

// No profile has a name that begins with such a sign, so these are lists of no profile.
const FAILED_LIST = 'jobs!failed';
const errorListName = (code: string): string => `jobs!error/${code}`;

/** The view of failed jobs that can still be retried. */
const OPEN = 'open';

/** The failed jobs by when they failed; only those that nobody has retried or rejected, where `isOpen` says so. */
export const failedList = ({ isOpen = false } = {}) =>
  numberedList({ service: 'batch', name: FAILED_LIST, ledger: LEDGER, ...(isOpen && { views: [OPEN] }) });

/** The jobs with an error code, by when they were created. */
export const errorList = (code: string) =>
  numberedList({ service: 'batch', name: errorListName(code), ledger: LEDGER });

/**
 * The changes of all lists for a job that is created (no before), changed, or deleted (no after). A step between two
 * states in flight changes none, and a job without an error is on two of them.
 */
export const changingLists = (before: Job | undefined, after: Job | undefined): Write[] => {
  const profile = after?.profileName ?? before?.profileName ?? '';
  return [
    ...jobList().changing(before && searchableEntryOf(before), after && searchableEntryOf(after)),
    ...jobList({ profile }).changing(before && entryOf(before), after && entryOf(after)),
    ...failedList().changing(before && failedEntryOf(before), after && failedEntryOf(after)),
    ...changingErrorLists(before, after),
  ];
};

/** The code of a job that has ended may still come, and never changes. */
function changingErrorLists(before: Job | undefined, after: Job | undefined): Write[] {
  const code = after?.errorCode ?? before?.errorCode;
  return code ? errorList(code).changing(before && errorEntryOf(before), after && errorEntryOf(after)) : [];
}

const entryOf = ({ id, createdAtMs, state }: Job): Entry => ({
  id,
  atMs: createdAtMs,
  views: isInFlight(state) ? [] : [state],
});

/** The tallies of the list of all jobs: how many there are of each source and format. */
export const sourceTally = (source: JobSource): string => `source:${source}`;
export const formatTally = (format: JobFormat): string => `format:${format}`;

/** When a failed job failed. A history only grows, so it is the same at every change. */
export const failedAtOf = ({ state, history, createdAtMs }: Job): number | undefined => {
  if (state !== 'Failed') return undefined;
  const step = history.find(({ status }) => status === 'Failed');
  return step ? Date.parse(step.timestamp) : createdAtMs;
};

/** Whether a failed job can still be retried, as far as it tells itself: nobody has retried or rejected it. */
export const isOpenFailure = ({ state, retriedAs, isRejected }: Job): boolean =>
  state === 'Failed' && retriedAs === undefined && !isRejected;

function failedEntryOf(job: Job): Entry | undefined {
  const atMs = failedAtOf(job);
  if (atMs === undefined) return undefined;
  return { id: job.id, atMs, views: isOpenFailure(job) ? [OPEN] : [], facts: endedFactsOf(job) };
}

const errorEntryOf = (job: Job): Entry | undefined =>
  job.errorCode === null
    ? undefined
    : { id: job.id, atMs: job.createdAtMs, facts: [`state:${job.state}`, ...endedFactsOf(job)] };

type FactName =
  | 'id'
  | 'state'
  | 'errorCode'
  | 'createdAtMs'
  | 'source'
  | 'format'
  | 'encryptionEnabled'
  | 'profileName'
  | 'fileName'
  | 'externalReference';

/** The fields that an entry tells. One that had no room is undefined. */
export type JobFacts = { readonly [Name in FactName]?: Job[Name] | undefined };

export function readFacts({ id, facts }: Pick<ListedEntry, 'id' | 'facts'>): JobFacts {
  const told = new Map(facts.map((fact) => [fact.slice(0, fact.indexOf(':')), fact]));
  const textOf = (name: string): string | undefined => told.get(name)?.slice(name.length + 1);
  const [encryption, reference] = [textOf('encryption'), textOf('reference')];
  const [error, created] = [textOf('error'), textOf('created')];
  return {
    id,
    state: textOf('state') as JobState | undefined,
    errorCode: error === '' ? null : (error as Job['errorCode'] | undefined),
    createdAtMs: created === undefined ? undefined : Number(created),
    source: textOf('source') as JobSource | undefined,
    format: textOf('format') as JobFormat | undefined,
    encryptionEnabled: encryption === undefined ? undefined : encryption === 'true',
    profileName: textOf('profile'),
    fileName: textOf('name'),
    externalReference: reference === '' ? null : reference,
  };
}

/**
 * With the fields that searches filter by, the shortest first: an entry may be too small for all. The state is not one of
 * them: it has views, and every step would write the entry again.
 */
const searchableEntryOf = (job: Job): Entry => ({
  ...entryOf(job),
  tallies: [sourceTally(job.source), formatTally(job.format)],
  facts: factsOf(job),
});

const factsOf = (job: Job): string[] => [
  `source:${job.source}`,
  `format:${job.format}`,
  `encryption:${job.encryptionEnabled}`,
  `profile:${job.profileName}`,
  `name:${job.fileName}`,
  `reference:${job.externalReference ?? ''}`,
];

/** With what is known of a job that has ended. */
const endedFactsOf = (job: Job): string[] => [
  `error:${job.errorCode ?? ''}`,
  `created:${job.createdAtMs}`,
  ...factsOf(job),
];
