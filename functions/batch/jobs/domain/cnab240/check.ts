import { createHash } from 'node:crypto';
import { parseCnpj } from '../../../../../shared/taxpayer/cnpj.ts';
import { parseCpf } from '../../../../../shared/taxpayer/cpf.ts';
import { dateIn } from './dates.ts';
import { type Cnab240Figures, createTally } from './figures.ts';
import { hashChunks } from './hash-chunks.ts';
import { Cnab240Invalid } from './invalid.ts';
import { createLotSums } from './lot-sums.ts';
import { createLotRule } from './lots.ts';
import { readPayment } from './payments.ts';
import { type Field, POSITIONS } from './positions.ts';
import { readRecords } from './read-records.ts';
import { type FileRecord, fieldOf, refuseField, requireField } from './record.ts';
import { type RecordType, readType, requireEnd } from './record-order.ts';
import { isPrimary, readSegment, type Segment } from './segments.ts';

/**
 * Checks that a file is a remittance of Banco do Brasil and returns its figures. Throws Cnab240Invalid at the first
 * record that breaks a rule. Memory does not grow with the file.
 * @example const figures = await checkCnab240(createReadStream(path));
 */
export async function checkCnab240(source: AsyncIterable<Uint8Array>): Promise<Cnab240Figures> {
  const hash = createHash('sha256');
  const tally = createTally();
  const lotSums = createLotSums();
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
    if (segment && isPrimary(segment)) {
      const payment = readPayment(record, segment);
      tally.add(payment);
      lotSums.add(payment);
    }
    if (type === '5') lotSums.end(record);
    if (segment === 'N') requireTaxpayer(record);
  };

  const recordCount = await readRecords(hashChunks(source, hash), check);
  requireEnd(type, recordCount);
  const differences = lotSums.differences();
  return { ...tally.figures(hash.digest('hex')), ...(differences && { lotSums: differences }) };
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

type Kind = 'CPF' | 'CNPJ';

const PAYER_CODES: Readonly<Record<string, Kind>> = { '1': 'CPF', '2': 'CNPJ' };
// Inverted: segment N has codes of its own.
const SEGMENT_N_CODES: Readonly<Record<string, Kind>> = { '01': 'CNPJ', '02': 'CPF' };

const CPF_FIELD = /^0{3}[0-9]{11}$/;
const CNPJ_FIELD = /^[0-9A-Z]{12}[0-9]{2}$/; // alphanumeric since July 2026

/** Requires that the payer of a file header or a lot header, if there is one, is a CPF or a CNPJ as its code says. */
function requirePayer(record: FileRecord): void {
  const { payerIdType, payerId } = POSITIONS.fileHeader; // a lot header has them in the same columns
  const id = fieldOf(record, payerId);
  if (isAbsent(id)) return;
  const kind = PAYER_CODES[fieldOf(record, payerIdType)];
  requireKind(record, payerId, id, kind ?? refuseField(record, payerIdType, '1 (CPF) or 2 (CNPJ)'));
}

/** Requires the same of the taxpayer of a segment N. Its other codes (NIT, CEI and more) are not checked. */
function requireTaxpayer(record: FileRecord): void {
  const { idType, id: idField } = POSITIONS.segmentN;
  const id = fieldOf(record, idField);
  const kind = SEGMENT_N_CODES[fieldOf(record, idType)];
  if (kind && !isAbsent(id)) requireKind(record, idField, id, kind);
}

// Zeros mean that there is none; so do blanks, with which an alphanumeric field is filled.
const isAbsent = (id: string): boolean => /^(?:0+| +)$/.test(id);

function requireKind({ number }: FileRecord, [column]: Field, id: string, kind: Kind): void {
  if (kind === 'CPF' ? CPF_FIELD.test(id) : CNPJ_FIELD.test(id) && !isPlainlyCpf(id)) return;
  const expected =
    kind === 'CPF' ? 'a CPF of 11 digits after 3 zeros' : 'a CNPJ of 12 digits or capitals and 2 digits';
  throw new Cnab240Invalid({ record: number, column, expected }); // the id itself is not for a log
}

// Wrong check digits alone are the bank's to refuse: files for its tests carry invented numbers.
const isPlainlyCpf = (id: string): boolean =>
  CPF_FIELD.test(id) && parseCpf(id.slice(3)) !== undefined && parseCnpj(id) === undefined;
