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

/**
 * The changes of both lists for a job that is created (no before), changed, or deleted (no after). A step between two
 * states in flight changes neither.
 */
export const changingLists = (before: Job | undefined, after: Job | undefined): Write[] => {
  const profile = after?.profileName ?? before?.profileName ?? '';
  return [
    ...jobList().changing(before && searchableEntryOf(before), after && searchableEntryOf(after)),
    ...jobList({ profile }).changing(before && entryOf(before), after && entryOf(after)),
  ];
};

const entryOf = ({ id, createdAtMs, state }: Job): Entry => ({
  id,
  atMs: createdAtMs,
  views: isInFlight(state) ? [] : [state],
});

/** The tallies of the list of all jobs: how many there are of each source and format. */
export const sourceTally = (source: JobSource): string => `source:${source}`;
export const formatTally = (format: JobFormat): string => `format:${format}`;

type FactName =
  | 'id'
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
  return {
    id,
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
  facts: [
    `source:${job.source}`,
    `format:${job.format}`,
    `encryption:${job.encryptionEnabled}`,
    `profile:${job.profileName}`,
    `name:${job.fileName}`,
    `reference:${job.externalReference ?? ''}`,
  ],
});
