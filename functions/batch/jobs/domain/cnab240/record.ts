import { Cnab240Invalid } from './invalid.ts';
import type { Field } from './positions.ts';

/** One record of 240 bytes, and its number in the file, from 1. Valid only until the next one is read. */
export type FileRecord = { readonly number: number; readonly bytes: Buffer };

/** The bytes of a field as Latin-1, so that a byte is a character. @example fieldOf(record, POSITIONS.detail.segment) */
export const fieldOf = ({ bytes }: FileRecord, [first, last]: Field): string =>
  bytes.toString('latin1', first - 1, last);

/** Refuses the record because of a field. @example refuseField(record, POSITIONS.detail.movement, '0 or 9') */
export function refuseField(record: FileRecord, field: Field, expected: string, note?: string): never {
  const found = fieldOf(record, field);
  throw new Cnab240Invalid({
    record: record.number,
    column: field[0],
    expected,
    found,
    ...(note && { note }),
  });
}

/** Requires the exact bytes; `meaning` explains them. @example requireField(record, bank, '001', 'Banco do Brasil') */
export function requireField(record: FileRecord, field: Field, bytes: string, meaning: string): void {
  if (fieldOf(record, field) !== bytes) refuseField(record, field, `${bytes} (${meaning})`);
}
