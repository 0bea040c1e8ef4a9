import { parseCnpj } from '../../../../../shared/taxpayer/cnpj.ts';
import { parseCpf } from '../../../../../shared/taxpayer/cpf.ts';
import { Cnab240Invalid } from './invalid.ts';
import { type Field, POSITIONS } from './positions.ts';
import { type FileRecord, fieldOf, refuseField } from './record.ts';

type Kind = 'CPF' | 'CNPJ';

const PAYER_CODES: Readonly<Record<string, Kind>> = { '1': 'CPF', '2': 'CNPJ' };
// Inverted: segment N has codes of its own.
const SEGMENT_N_CODES: Readonly<Record<string, Kind>> = { '01': 'CNPJ', '02': 'CPF' };

const CPF_FIELD = /^0{3}[0-9]{11}$/;
const CNPJ_FIELD = /^[0-9A-Z]{12}[0-9]{2}$/; // alphanumeric since July 2026

/** Requires that the payer of a file header or a lot header, if there is one, is a CPF or a CNPJ as its code says. */
export function requirePayer(record: FileRecord): void {
  const { payerIdType, payerId } = POSITIONS.fileHeader; // a lot header has them in the same columns
  const id = fieldOf(record, payerId);
  if (isAbsent(id)) return;
  const kind = PAYER_CODES[fieldOf(record, payerIdType)];
  requireKind(record, payerId, id, kind ?? refuseField(record, payerIdType, '1 (CPF) or 2 (CNPJ)'));
}

/** Requires the same of the taxpayer of a segment N. Its other codes (NIT, CEI and more) are not checked. */
export function requireTaxpayer(record: FileRecord): void {
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
