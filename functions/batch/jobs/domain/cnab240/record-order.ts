import { Cnab240Invalid } from './invalid.ts';
import { POSITIONS } from './positions.ts';
import { type FileRecord, fieldOf, refuseField } from './record.ts';

const NAMES = {
  '0': 'file header',
  '1': 'lot header',
  '3': 'detail',
  '5': 'lot trailer',
  '9': 'file trailer',
} as const;
export type RecordType = keyof typeof NAMES;

// 0 (1 3* 5)+ 9: the types that may follow each type.
const FOLLOWERS: Readonly<Record<RecordType | 'start', readonly RecordType[]>> = {
  start: ['0'],
  '0': ['1'],
  '1': ['3', '5'],
  '3': ['3', '5'],
  '5': ['1', '9'],
  '9': [],
};

const { type: TYPE } = POSITIONS.everyRecord;

/** Reads the type of a record, which must be one that may follow the type before. */
export function readType(record: FileRecord, previous: RecordType | 'start'): RecordType {
  const type = fieldOf(record, TYPE);
  return (
    FOLLOWERS[previous].find((each) => each === type) ?? refuseField(record, TYPE, followersOf(previous))
  );
}

/** Requires that the file trailer was the last record. */
export function requireEnd(last: RecordType | 'start', recordCount: number): void {
  if (last === '9') return;
  throw new Cnab240Invalid({
    record: recordCount + 1,
    column: TYPE[0],
    expected: `${followersOf(last)}, but the file ends`,
  });
}

const followersOf = (type: RecordType | 'start'): string =>
  FOLLOWERS[type].map((each) => `record type ${each} (${NAMES[each]})`).join(' or ') || 'the end of the file';
