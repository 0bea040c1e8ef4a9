import { collection, type Stored } from '../../../../shared/store/collection.ts';
import { firstItems } from '../../../../shared/store/cursor.ts';
import { RaceLost } from '../../../../shared/store/refusals.ts';
import type { ItemWrite, Write } from '../../../../shared/store/write.ts';
import type { DegreeData } from '../../items/domain/data.ts';
import type { Item } from '../../items/domain/item.ts';

/** How many degrees that an institute registered are annulled, how many of them a list names, and the newest list. */
type AnnulmentLog = {
  readonly instituteId: string;
  /** The number of the newest annulment. They count from 1, without a gap. */
  readonly annulled: number;
  /** The number of the last annulment that a list names. */
  readonly listed: number;
  readonly lastSequence: number;
};

/** One annulled degree, under its number in the log. */
type Annulment = {
  readonly instituteId: string;
  readonly number: number;
  readonly degreeId: string;
  readonly verificationCode: string;
  readonly cancellationReason: string;
  readonly atMs: number;
};

const partitionOf = (instituteId: string): string => `ANNULMENTS#${instituteId}`;
const ENTRY = 'ANNULMENT#';
// The keys are in the order of the numbers.
const entryKey = (number: number): string => `${ENTRY}${String(number).padStart(12, '0')}`;

const annulmentLogs = collection<AnnulmentLog, string>({
  service: 'credentials',
  name: 'annulment log',
  id: ({ instituteId }) => instituteId,
  key: (instituteId) => ({ pk: partitionOf(instituteId), sk: 'LOG' }),
});

const annulments = collection<Annulment, Pick<Annulment, 'instituteId' | 'number'>>({
  service: 'credentials',
  name: 'annulment',
  id: ({ instituteId, number }) => ({ instituteId, number }),
  key: ({ instituteId, number }) => ({ pk: partitionOf(instituteId), sk: entryKey(number) }),
});

// An annulment that meets a list is on that list or on the next one, and on no other:
//
//   annulment  |--reads the log: 7 annulled ------------- log: 8 annulled, entry 8, degree Canceled --|
//   list          |--reads the log: 7 annulled-- XML of 6 and 7 -- log: 7 listed: refused, reads 8 --|
//
// Both write the log in the version that they have read, so that only one of the two is right.

const EMPTY = { annulled: 0, listed: 0, lastSequence: 0 } as const;
type Counts = Omit<AnnulmentLog, 'instituteId'>;

/** Whoever meets the first writer of a log, or of a number, reads the log and decides again. */
const raced = (instituteId: string, write: ItemWrite): ItemWrite => ({
  ...write,
  refusal: () => new RaceLost(`The annulments of ${instituteId} were changed by another writer first.`),
});

const writingLog = (
  instituteId: string,
  log: Stored<AnnulmentLog> | undefined,
  patch: Partial<Counts>,
): Write =>
  raced(
    instituteId,
    log ? annulmentLogs.changing(log, patch) : annulmentLogs.creating({ instituteId, ...EMPTY, ...patch }),
  );

/**
 * An annulment as writes, for the commit that annuls the degree. It goes to the institute that registered the degree.
 * Refused with RaceLost when that institute's log has changed meanwhile.
 */
export async function recordingAnnulment(
  { id: degreeId, data: { registeringInstituteId: instituteId, verificationCode } }: Item<DegreeData>,
  cancellationReason: string,
  atMs: number,
): Promise<Write[]> {
  const log = await annulmentLogs.get(instituteId);
  const number = (log?.annulled ?? 0) + 1;
  return [
    writingLog(instituteId, log, { annulled: number }),
    raced(
      instituteId,
      annulments.creating({ instituteId, number, degreeId, verificationCode, cancellationReason, atMs }),
    ),
  ];
}

/** What the next list of an institute has, and the write that closes it, for the commit that creates the list. */
type NextList = {
  readonly sequenceNumber: number;
  readonly annulled: readonly Annulment[];
  readonly closing: Write;
};

/** The next list of an institute: the annulments that no list has yet, the oldest first and at most so many. */
export async function readNextList(instituteId: string, maxDegrees: number): Promise<NextList> {
  const log = await annulmentLogs.get(instituteId);
  const { annulled, listed, lastSequence }: Counts = log ?? EMPTY;
  const count = Math.min(annulled - listed, maxDegrees);
  const sequenceNumber = lastSequence + 1;
  return {
    sequenceNumber,
    annulled: await readAfter(instituteId, listed, count),
    closing: writingLog(instituteId, log, { listed: listed + count, lastSequence: sequenceNumber }),
  };
}

async function readAfter(instituteId: string, after: number, count: number): Promise<Annulment[]> {
  const query = { pk: partitionOf(instituteId), skPrefix: ENTRY, after: entryKey(after) };
  const found = count === 0 ? [] : await firstItems(annulments, query, count);
  if (found.length < count)
    throw new Error(`The annulments of ${instituteId} after ${after + found.length} are missing.`);
  return found;
}
