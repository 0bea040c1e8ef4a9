import { type Cpf, parseCpf } from '../../taxpayer/cpf.ts';
import { trimEnd } from '../../text/trim-end.ts';

/** The otherName types of ICP-Brasil certificates (DOC-ICP-04, 7.1.2.3). */
export const ICP_BRASIL_FIELD = {
  person: '2.16.76.1.3.1',
  responsibleName: '2.16.76.1.3.2',
  cnpj: '2.16.76.1.3.3',
  responsible: '2.16.76.1.3.4',
  voter: '2.16.76.1.3.5',
  personCei: '2.16.76.1.3.6',
  companyCei: '2.16.76.1.3.7',
  companyName: '2.16.76.1.3.8',
  oab: '2.16.76.1.4.2.1.1',
} as const;

/** The content of the fixed-width field about a person. */
export type PersonFields = {
  readonly cpf?: Cpf;
  /** yyyy-mm-dd */
  readonly birthDate?: string;
  readonly rg?: { readonly number: string; readonly issuer?: string; readonly state?: string };
};

// Birth date as ddmmyyyy, CPF, NIS, RG, then the issuer of the RG with its state.
const BIRTH = [0, 8] as const;
const CPF = [8, 19] as const;
const RG = [30, 45] as const;
const RG_ISSUER = [45, 55] as const;

/** @example readPersonFields('15021980529982247250000000000000000000 1234567SSPSP').birthDate // '1980-02-15' */
export function readPersonFields(text: string): PersonFields {
  const cpf = parseCpf(text.slice(...CPF));
  const birthDate = readBirthDate(text.slice(...BIRTH));
  const number = text
    .slice(...RG)
    .trim()
    .replace(/^[0 ]+/, '');
  return {
    ...(cpf && { cpf }),
    ...(birthDate && { birthDate }),
    ...(number && { rg: { number, ...readIssuer(text.slice(...RG_ISSUER)) } }),
  };
}

/** Zeros and spaces mean an unknown value. */
export const isBlank = (text: string): boolean => /^[0\s]*$/.test(text);

function readBirthDate(text: string): string | undefined {
  const [, day = '', month = '', year = ''] = /^(\d\d)(\d\d)(\d{4})$/.exec(text) ?? [];
  const iso = `${year}-${month}-${day}`;
  const ms = Date.parse(`${iso}T00:00:00Z`);
  // Date turns a day that does not exist, such as 31 February, into another day.
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(iso) ? iso : undefined;
}

function readIssuer(text: string): { issuer?: string; state?: string } {
  const { rest, state } = splitState(text);
  return { ...(rest && { issuer: rest }), ...(state && { state }) };
}

const STATES = new Set(
  'AC AL AM AP BA CE DF ES GO MA MG MS MT PA PB PE PI PR RJ RN RO RR RS SC SE SP TO'.split(' '),
);

/** Splits off the state at the end of a text, if any: `SSPSP`, `SSP/SP` and `SSP SP` are SSP of SP. */
export function splitState(text: string): { rest: string; state?: string } {
  const trimmed = text.trim();
  const state = trimmed.slice(-2).toUpperCase();
  if (!STATES.has(state)) return { rest: trimmed };
  return { rest: trimEnd(trimmed.slice(0, -2), /[\s/-]/), state };
}
