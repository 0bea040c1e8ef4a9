import { createHash } from 'node:crypto';
import { type Cnpj, formatCnpj } from '../../../../../shared/taxpayer/cnpj.ts';
import { type Cpf, formatCpf, maskCpf } from '../../../../../shared/taxpayer/cpf.ts';
import { hashChunks } from './hash-chunks.ts';
import { type Payment, readPayment } from './payments.ts';
import { type Field, POSITIONS } from './positions.ts';
import { readRecords } from './read-records.ts';
import { type FileRecord, fieldOf } from './record.ts';
import { type RecordType, readType, requireEnd } from './record-order.ts';
import { isPrimary, type PrimarySegment, readSegment, type Segment } from './segments.ts';

/** Where the money goes, without leading zeros. @example { bank: '001', branch: '1234-5', account: '54321-0' } */
export type PayeeAccount = { readonly bank: string; readonly branch: string; readonly account: string };

/** A CPF as it may be shown, masked, and as it may be searched for; a CNPJ is whole in both. */
export type PayeeDocument = {
  readonly kind: 'CPF' | 'CNPJ';
  readonly shown: string;
  readonly whole: string;
};

/** One payment of a file, as a person reads it. */
export type ListedPayment = Payment & {
  readonly segment: PrimarySegment;
  /** Who is paid; in segment N, the taxpayer. */
  readonly payee: string;
  /** Of segment B or N. Null where there is none, or another kind of number. */
  readonly document: PayeeDocument | null;
  /** Of segment A. Null where the account is all zeros: a transfer by a key (Pix) has none. */
  readonly account: PayeeAccount | null;
  /** Of segments J and O. */
  readonly barcode: string | null;
};

/**
 * Reads the payments of a file that has passed checkCnab240, in their order, and returns the SHA-256 of all of it. A
 * caller that shows them compares that with the hash it knows first: the bytes may be others by now. Throws
 * Cnab240Invalid where they are no remittance. Memory does not grow with the file.
 * @example const sha256 = await readPayments(stream, (payment) => page.push(payment));
 */
export async function readPayments(
  source: AsyncIterable<Uint8Array>,
  visit: (payment: ListedPayment) => void,
): Promise<string> {
  const hash = createHash('sha256');
  let type: RecordType | 'start' = 'start';
  let segment: Segment | undefined;
  // Held back until the next record: that may be a segment B with the document of the payee.
  let held: ListedPayment | undefined;
  const release = (): void => {
    if (held) visit(held);
    held = undefined;
  };

  const recordCount = await readRecords(hashChunks(source, hash), (record) => {
    type = readType(record, type);
    segment = type === '3' ? readSegment(record, segment) : undefined;
    // A B elsewhere, such as after the N of a tax, belongs to no payee.
    if (segment === 'B' && held?.segment === 'A')
      held = { ...held, document: documentIn(record, POSITIONS.segmentB) };
    release();
    if (segment && isPrimary(segment)) held = listedPayment(record, segment);
  });
  requireEnd(type, recordCount);
  return hash.digest('hex');
}

function listedPayment(record: FileRecord, segment: PrimarySegment): ListedPayment {
  const none = { document: null, account: null, barcode: null };
  const payment = { ...readPayment(record, segment), segment, ...none };
  if (segment === 'N') {
    const { taxpayer } = POSITIONS.segmentN;
    return { ...payment, payee: textIn(record, taxpayer), document: documentIn(record, POSITIONS.segmentN) };
  }
  if (segment === 'A')
    return { ...payment, payee: textIn(record, POSITIONS.segmentA.name), account: accountIn(record) };
  const { name, barcode } = segment === 'J' ? POSITIONS.segmentJ : POSITIONS.segmentO;
  return { ...payment, payee: textIn(record, name), barcode: textIn(record, barcode) || null };
}

/** The bytes are somebody else's: control characters do not reach a page. */
const textIn = (record: FileRecord, field: Field): string =>
  fieldOf(record, field)
    .replace(/[^\x20-\x7e\xa0-\xff]/g, '?')
    .trim();

function accountIn(record: FileRecord): PayeeAccount | null {
  const { bank, branch, branchCheckDigit, account, accountCheckDigit } = POSITIONS.segmentA;
  if (/^[0 ]*$/.test(fieldOf(record, account))) return null;
  return {
    bank: textIn(record, bank),
    branch: numberIn(record, branch, branchCheckDigit),
    account: numberIn(record, account, accountCheckDigit),
  };
}

function numberIn(record: FileRecord, number: Field, checkDigit: Field): string {
  const [digits, check] = [textIn(record, number).replace(/^0+(?=.)/, ''), textIn(record, checkDigit)];
  return check === '' ? digits : `${digits}-${check}`;
}

// Segment N has codes of its own, which are the other way round.
const CODES: Readonly<Record<string, PayeeDocument['kind']>> = {
  1: 'CPF',
  2: 'CNPJ',
  '01': 'CNPJ',
  '02': 'CPF',
};

function documentIn(
  record: FileRecord,
  { idType, id }: { readonly idType: Field; readonly id: Field },
): PayeeDocument | null {
  const [kind, number] = [CODES[fieldOf(record, idType)], fieldOf(record, id)];
  if (kind === 'CPF' && /^0{3}[0-9]{11}$/.test(number) && Number(number) > 0) {
    const cpf = number.slice(3) as Cpf;
    return { kind, shown: maskCpf(cpf), whole: formatCpf(cpf) };
  }
  if (kind !== 'CNPJ' || !/^[0-9A-Z]{14}$/.test(number) || /^0+$/.test(number)) return null;
  const shown = formatCnpj(number as Cnpj);
  return { kind, shown, whole: shown };
}
