import { parsePaymentDate } from './dates.ts';
import { POSITIONS } from './positions.ts';
import { type FileRecord, fieldOf, refuseField } from './record.ts';
import type { PrimarySegment } from './segments.ts';

export type Payment = {
  /** False for an exclusion, which cancels a payment that the bank has. */
  readonly included: boolean;
  readonly centavos: bigint;
  /** ISO; null where the field is no date. */
  readonly date: string | null;
};

const FIELDS = {
  A: POSITIONS.segmentA,
  J: POSITIONS.segmentJ,
  N: POSITIONS.segmentN,
  O: POSITIONS.segmentO,
} as const;
const { movement: MOVEMENT } = POSITIONS.detail;

/** Reads a payment: movement 0 includes it, 9 excludes it; the value has 15 digits, the last two of them centavos. */
export function readPayment(record: FileRecord, segment: PrimarySegment): Payment {
  const movement = fieldOf(record, MOVEMENT);
  if (movement !== '0' && movement !== '9')
    refuseField(record, MOVEMENT, 'movement 0 (include) or 9 (exclude)');
  const { value: valueField, paymentDate } = FIELDS[segment];
  const value = fieldOf(record, valueField);
  if (!/^[0-9]{15}$/.test(value)) refuseField(record, valueField, 'a value of 15 digits');
  return {
    included: movement === '0',
    centavos: BigInt(value),
    date: parsePaymentDate(fieldOf(record, paymentDate)),
  };
}
