import type { StabilityClock } from '../../shared/files/stable.ts';
import { Refused, type RemoteJob } from './api.ts';
import { applyJob, BEGINNING, jobsSince, markOf, takeOver } from './jobs.ts';
import type { Options } from './options.ts';
import type { Place } from './place.ts';
import type { Report } from './report.ts';
import type { Entry, FolderState } from './state.ts';

export type Clock = Required<StabilityClock>;

/** What all steps of a run share. */
export type Work = {
  readonly options: Pick<Options, 'dir' | 'output' | 'once' | 'keep'>;
  readonly state: FolderState;
  readonly report: Report;
  readonly clock: Clock;
  readonly jobs: JobReader;
  readonly postponed: Map<string, Postponed>;
};

/** A file that cannot be uploaded now. */
export type Postponed = {
  readonly why: string;
  /** The time of the next try. */
  readonly untilMs: number;
  /** With --once it is not tried after this time. */
  readonly endsAtMs: number;
};

export const entriesOf = ({ files }: FolderState, ...states: Entry['state'][]): Entry[] =>
  [...files.values()].filter((entry) => states.includes(entry.state));

export function fail(report: Report, entry: Entry, problem: string): void {
  Object.assign(entry, { state: 'failed', problem });
  sayFailed(report, entry);
}

const sayFailed = (report: Report, { name, problem }: Entry): void =>
  report.complain(`${name}: failed, ${problem} The file stays.`);

export type JobReader = {
  /** The jobs of the last reading, newest first. */
  recent(): readonly RemoteJob[];
  /** When they were read. */
  readAtMs(): number;
  /** Reads the list of jobs, and takes over what it says about the files. */
  read(place: Place): Promise<void>;
  /** Has the next reading go back to the first job. */
  searchAll(): void;
};

/** Jobs that are asked for one by one, in a reading: those that are no longer among the newest. */
const ASKED_AT_ONCE = 20;

export function jobReader(state: FolderState, report: Report, now: () => number): JobReader {
  let recent: readonly RemoteJob[] = [];
  let readAtMs = Number.NEGATIVE_INFINITY;
  let searchesAll = false;
  let asked = 0;

  async function askForOlder({ api }: Place): Promise<void> {
    const listed = new Set(recent.map(({ id }) => id));
    const older = entriesOf(state, 'waiting').filter(({ job }) => job && !listed.has(job.id));
    for (let n = 0; n < Math.min(ASKED_AT_ONCE, older.length); n++) {
      const entry = older[asked++ % older.length];
      if (!entry?.job) continue;
      try {
        applyJob(entry, await api.job(entry.job.id));
      } catch (error) {
        if (!(error instanceof Refused)) throw error;
        Object.assign(entry, { state: 'failed', problem: `${error.code}: ${error.sentence}` });
      }
    }
  }

  return {
    recent: () => recent,
    readAtMs: () => readAtMs,
    searchAll() {
      searchesAll = true;
    },
    async read(place) {
      // While no file waits, nobody follows the jobs: the reading begins with the newest.
      if (entriesOf(state, 'uploading', 'waiting', 'failed').length === 0) state.mark = '';
      recent = await jobsSince(place.api, searchesAll ? BEGINNING : state.mark);
      searchesAll = false;
      readAtMs = now();
      const failedBefore = new Set(entriesOf(state, 'failed'));
      takeOver(recent, state.files.values());
      await askForOlder(place);
      state.mark = markOf(recent, state.mark);
      for (const entry of entriesOf(state, 'failed')) if (!failedBefore.has(entry)) sayFailed(report, entry);
      await state.save();
    },
  };
}
