import { type Budget, createBudget, extendBudget } from '../../../bounds/budget.ts';
import { tooComplex } from '../refused.ts';

// Honest files with two signatures that must be judged: a form of 5,000 fields takes 370 million units in 1 MB as in
// 20 MB, 50,000 pages in 15 MB take 300 million, 200,000 packed objects in 3 MB take 290 million; a hundred signatures
// in 1 MB take 360 million. A file that uses the whole budget takes 0.7 to 0.9 s.
const SMALL_FILE_UNITS = 480_000_000;
const UNITS_A_BYTE = 60;
const MAX_UNITS = 600_000_000;

// The file itself, its unpacked parts and the cache take memory beside the values: together they stay under ten times
// the file. Small files may be denser, as 4 MB is little.
const SMALL_FILE_BYTES = 4 * 1024 * 1024;
const BYTES_A_BYTE = 3;

/** The budget for reading one file. @example const budget = createPdfBudget(file.length); */
export const createPdfBudget = (fileBytes: number): Budget =>
  createBudget({
    units: Math.min(MAX_UNITS, SMALL_FILE_UNITS + UNITS_A_BYTE * fileBytes),
    bytes: SMALL_FILE_BYTES + BYTES_A_BYTE * fileBytes,
    refuse: (exceeded) =>
      tooComplex(
        exceeded === 'time'
          ? 'It holds so much, or refers to the same parts so often, that reading it would take too long.'
          : 'It holds so many values for its size that reading it would take too much memory.',
      ),
  });

// One more comparison of a form of 5,000 fields takes 190 million.
const SIGNATURE_UNITS = 250_000_000;

/** Extends the budget for one trusted signature: the document is compared anew for each. */
export const extendForSignature = (budget: Budget): void => extendBudget(budget, SIGNATURE_UNITS);

// Costs in time: units of about a nanosecond, each measured alone over 100,000 of its kind.
export const BYTE_UNITS = 4;
export const HEXADECIMAL_BYTE_UNITS = 1;
export const VALUE_UNITS = 120;
export const SCANNED_VALUE_UNITS = 40;
/** Added to the cost of any value; garbage collection is the larger part. */
export const REF_UNITS = 100;
export const STRING_UNITS = 250;
export const ARRAY_UNITS = 150;
export const DICT_UNITS = 700;
/** An object, without its value. */
export const OBJECT_UNITS = 500;
/** A byte that is searched or compared in bulk. */
export const BULK_BYTE_UNITS = 0.3;
export const UNPACKED_BYTE_UNITS = 3;
export const HASHED_BYTE_UNITS = 1;
export const UNPREDICTED_BYTE_UNITS = 12;
/** One lookup of an object in one section. */
export const LOOKUP_UNITS = 10;
/** A byte of a name with #xx escapes, in time and in memory. */
export const ESCAPED_BYTE_UNITS = 60;
export const ESCAPED_BYTE_BYTES = 12;
/** A letter of a joined name, and a lookup in a set. */
export const LETTER_UNITS = 1;
export const MEMBER_UNITS = 40;
/** A value of a cached object that is walked again. */
export const CACHED_VALUE_UNITS = 20;

// Costs in memory of a value, with its share of the list that contains it.
export const NUMBER_BYTES = 24; // a growing list reserves two and a half slots for each item
export const REAL_BYTES = 88;
export const NAME_BYTES = 80;
export const REF_BYTES = 72;
export const STRING_BYTES = 136; // a view of the file
export const ARRAY_BYTES = 200; // the first item reserves seventeen slots
export const DICT_BYTES = 200;
export const ENTRY_BYTES = 32; // without its name and its value
/** A run of objects in a cross-reference, in the file's order and sorted by number. */
export const RUN_UNITS = 400;
export const RUN_BYTES = 96;
/** An object in the list of those appended after a signature. */
export const LISTED_BYTES = 160;
/** A node of the form: itself, its reference, and its entries in a list, a set and a map. */
export const FIELD_BYTES = 320;
/** A page in a list. */
export const PAGE_BYTES = 160;
/** A pair of objects still to be compared, and the record of a pair with different numbers. */
export const PAIR_BYTES = 80;
export const UNLIKE_BYTES = 160;
/** A number in a set. */
export const MEMBER_BYTES = 48;
