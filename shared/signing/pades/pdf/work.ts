import { tooComplex } from '../refused.ts';

/**
 * What reading one file may still cost, in time and in memory. Both are counted from what is read and never taken from
 * a clock or the collector, so that the same file always comes out the same way.
 */
export type Work = {
  /** A unit is about a nanosecond of one core. */
  leftUnits: number;
  /** What values that may still be in use take. */
  heldBytes: number;
  /** What lists take that outlive the values they were made from. */
  listedBytes: number;
  readonly mostHeldBytes: number;
};

// What must be judged with two signatures: a form of 5,000 fields takes 370 million units in 1 MB as in 20 MB, 50,000
// pages in 15 MB take 300 million, 200,000 packed objects in 3 MB 290 million; a hundred signatures in 1 MB take 360
// million. A file that uses all of it up takes 0.7 to 0.9 s.
const FOR_SMALL_FILES_UNITS = 480_000_000;
const UNITS_A_BYTE = 60;
const MAX_UNITS = 600_000_000;

// Beside values there are the file itself, what was unpacked of it and what is kept for asking again. Together they
// stay under ten times the file. Small files may be denser: 4 MB is nothing.
const HELD_FLOOR_BYTES = 4 * 1024 * 1024;
const HELD_PER_BYTE = 3;

export const workFor = (fileBytes: number): Work => ({
  leftUnits: Math.min(MAX_UNITS, FOR_SMALL_FILES_UNITS + UNITS_A_BYTE * fileBytes),
  heldBytes: 0,
  listedBytes: 0,
  mostHeldBytes: HELD_FLOOR_BYTES + HELD_PER_BYTE * fileBytes,
});

// A form of 5,000 fields takes 190 million to compare once more.
const FOR_A_SIGNATURE_UNITS = 250_000_000;

/** Lets a file ask for more, once for every signature that somebody can be held to: comparing begins anew for each. */
export function grant(work: Work): void {
  work.leftUnits += FOR_A_SIGNATURE_UNITS;
}

/** Counts work that is about to be done, and refuses the file when it has asked for too much. */
export function spend(work: Work, units: number): void {
  work.leftUnits -= units;
  if (work.leftUnits < 0)
    tooComplex(
      'It holds so much, or refers to the same parts so often, that reading it would take too long.',
    );
}

/** Counts memory that is about to be taken, until the surrounding `passing` ends. */
export function hold(work: Work, bytes: number): void {
  work.heldBytes += bytes;
  refuseFull(work);
}

/** Counts memory that a list takes, until the surrounding `apart` ends. */
export function list(work: Work, bytes: number): void {
  work.listedBytes += bytes;
  refuseFull(work);
}

function refuseFull({ heldBytes, listedBytes, mostHeldBytes }: Work): void {
  if (heldBytes + listedBytes > mostHeldBytes)
    tooComplex('It holds so many values for its size that reading it would take too much memory.');
}

/**
 * Runs what keeps nothing of what it reads, so that this takes no room afterwards. Whatever is read outside of it
 * counts as held for good: forgetting this refuses a file too early, and never lets one take too much.
 * @example for (const kid of kids) passing(pdf.work, () => visit(kid));
 */
export function passing<Result>(work: Work, run: () => Result): Result {
  const { heldBytes } = work;
  try {
    return run();
  } finally {
    work.heldBytes = heldBytes;
  }
}

/** The same for what keeps no list either. */
export function apart<Result>(work: Work, run: () => Result): Result {
  const { listedBytes } = work;
  try {
    return passing(work, run);
  } finally {
    work.listedBytes = listedBytes;
  }
}
