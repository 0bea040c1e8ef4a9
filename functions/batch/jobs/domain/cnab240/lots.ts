import { POSITIONS } from './positions.ts';
import { type FileRecord, fieldOf, refuseField, requireField } from './record.ts';
import type { RecordType } from './record-order.ts';

const { lot: LOT } = POSITIONS.everyRecord;
const FILE_HEADER_LOT = '0000';
const FILE_TRAILER_LOT = '9999';

/**
 * Makes the rule on lot numbers and counts, for one file: every record carries the number of its lot, and the trailers
 * count lots and records. That lots are numbered in sequence is not checked. The sum in a lot trailer is in lot-sums.ts.
 */
export function createLotRule(): (type: RecordType, record: FileRecord) => void {
  let lot = '';
  let lotCount = 0;
  let lotRecords = 0;

  return (type, record) => {
    lotRecords = type === '1' ? 1 : lotRecords + 1;
    if (type === '0') requireField(record, LOT, FILE_HEADER_LOT, 'the lot of a file header');
    else if (type === '1') {
      lot = readLot(record);
      lotCount += 1;
    } else if (type === '9') {
      requireField(record, LOT, FILE_TRAILER_LOT, 'the lot of a file trailer');
      const { lotCount: lotCountField, recordCount } = POSITIONS.fileTrailer;
      requireCount(record, lotCountField, lotCount, 'lots in the file');
      requireCount(record, recordCount, record.number, 'records in the file, header and trailer included');
    } else requireField(record, LOT, lot, 'the lot of the lot header before');
    if (type === '5')
      requireCount(
        record,
        POSITIONS.lotTrailer.recordCount,
        lotRecords,
        'records in the lot, header and trailer included',
      );
  };
}

function readLot(record: FileRecord): string {
  const lot = fieldOf(record, LOT);
  if (/^\d{4}$/.test(lot) && lot !== FILE_HEADER_LOT && lot !== FILE_TRAILER_LOT) return lot;
  return refuseField(record, LOT, 'a lot number from 0001 to 9998');
}

// A count that needs more digits than the field has fits no file.
function requireCount(
  record: FileRecord,
  field: readonly [number, number],
  count: number,
  meaning: string,
): void {
  requireField(record, field, String(count).padStart(field[1] - field[0] + 1, '0'), meaning);
}
