import { POSITIONS } from './positions.ts';
import { type FileRecord, fieldOf, refuseField } from './record.ts';

/** Segments that are payments. */
const PRIMARY = ['A', 'J', 'N', 'O'] as const;
/** Segments that add to a payment and are never counted. W1 is a W whose next column has 1. */
const COMPLEMENTARY = ['B', 'C', 'W', 'Z'] as const;
const LETTERS = [...PRIMARY, ...COMPLEMENTARY];

export type PrimarySegment = (typeof PRIMARY)[number];
export type Segment = (typeof LETTERS)[number] | 'J-52';

const { segment: SEGMENT, movement: MOVEMENT } = POSITIONS.detail;

/** Reads the segment of a detail; `previous` is that of the record before, undefined after a lot header. */
export function readSegment(record: FileRecord, previous: Segment | undefined): Segment {
  const letter = fieldOf(record, SEGMENT);
  const segment = LETTERS.find((each) => each === letter);
  if (!segment) return refuseField(record, SEGMENT, `segment ${LETTERS.join(', ')}`);
  if (segment !== 'J' || previous !== 'J' || !hasOption52(record)) return segment;
  requireNoMovement(record);
  return 'J-52';
}

// Column 15 is the movement of a J, and blank in a J-52. A payment with a barcode that begins with 52 would be read as a
// J-52 here, stand in no figure, and be paid by the bank. Every movement of the standard is a digit.
function requireNoMovement(record: FileRecord): void {
  if (/[0-9]/.test(fieldOf(record, MOVEMENT)))
    refuseField(record, MOVEMENT, 'no movement in a J-52', AFTER_J);
}

const AFTER_J = 'A payment whose barcode begins with 52 cannot directly follow another J: put it elsewhere.';

// A barcode of a bank 52x begins as J-52 does. Directly after a J it is read as J-52, anywhere else as a payment.
const hasOption52 = (record: FileRecord): boolean =>
  fieldOf(record, POSITIONS.segmentJ52.optionCode) === '52';

export const isPrimary = (segment: Segment): segment is PrimarySegment =>
  PRIMARY.some((each) => each === segment);
