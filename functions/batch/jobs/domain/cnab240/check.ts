import { createHash } from 'node:crypto';
import { dateIn } from './dates.ts';
import { type Cnab240Figures, createTally } from './figures.ts';
import { hashChunks } from './hash-chunks.ts';
import { createLotRule } from './lots.ts';
import { readPayment } from './payments.ts';
import { POSITIONS } from './positions.ts';
import { readRecords } from './read-records.ts';
import { type FileRecord, fieldOf, refuseField, requireField } from './record.ts';
import { type RecordType, readType, requireEnd } from './record-order.ts';
import { isPrimary, readSegment, type Segment } from './segments.ts';
import { requirePayer, requireTaxpayer } from './taxpayers.ts';

/**
 * Checks that a file is a remittance of Banco do Brasil and returns its figures. Throws Cnab240Invalid at the first
 * record that breaks a rule. Memory does not grow with the file.
 * @example const figures = await checkCnab240(createReadStream(path));
 */
export async function checkCnab240(source: AsyncIterable<Uint8Array>): Promise<Cnab240Figures> {
  const hash = createHash('sha256');
  const tally = createTally();
  const requireLot = createLotRule();
  let type: RecordType | 'start' = 'start';
  let segment: Segment | undefined;

  const check = (record: FileRecord): void => {
    requireField(record, POSITIONS.everyRecord.bank, '001', 'Banco do Brasil');
    type = readType(record, type);
    requireLot(type, record);
    if (type === '0') requireRemittance(record);
    if (type === '0' || type === '1') requirePayer(record);
    segment = type === '3' ? readSegment(record, segment) : undefined;
    if (segment && isPrimary(segment)) tally.add(readPayment(record, segment));
    if (segment === 'N') requireTaxpayer(record);
  };

  const recordCount = await readRecords(hashChunks(source, hash), check);
  requireEnd(type, recordCount);
  return tally.figures(hash.digest('hex'));
}

/** Whether a payment date is before today at that place. False if no payment has a date. */
export function isPaymentDatePassed(
  { earliestPaymentDate }: Cnab240Figures,
  nowMs: number,
  timeZone: string,
): boolean {
  return earliestPaymentDate !== null && earliestPaymentDate < dateIn(timeZone, nowMs);
}

const { remittanceCode: CODE } = POSITIONS.fileHeader;

function requireRemittance(record: FileRecord): void {
  const code = fieldOf(record, CODE);
  if (code === '2')
    refuseField(record, CODE, '1 (remittance)', 'This is a return file (retorno), which a bank sends.');
  if (code !== '1') refuseField(record, CODE, '1 (remittance)');
}
