/** Texts by their first column. The columns are written here again, not taken from the product's table. */
export type Columns = Readonly<Record<number, string>>;

/** A record: blanks, with these texts at these columns. Later columns win. */
export function line(...parts: readonly Columns[]): string {
  let text = ' '.repeat(240);
  for (const part of parts)
    for (const [column, value] of Object.entries(part))
      text = text.slice(0, Number(column) - 1) + value + text.slice(Number(column) - 1 + value.length);
  return text;
}

const digits = (value: number | string, length: number): string => String(value).padStart(length, '0');

export const fileHeader = (over: Columns = {}): string =>
  line(
    { 1: '00100000', 18: '2', 19: '11222333000181', 33: '0001234560126', 53: '01234', 59: '000000012345' },
    { 73: 'EMPRESA DE TESTE', 103: 'BANCO DO BRASIL', 143: '1', 144: '01122026', 152: '103000' },
    { 158: '000001', 164: '103' },
    over,
  );

export const lotHeader = (lot = 1, over: Columns = {}): string =>
  line(
    { 1: '001', 4: digits(lot, 4), 8: '1', 9: 'C', 10: '20', 12: '01', 14: '045', 18: '2' },
    { 19: '11222333000181', 53: '01234', 59: '000000012345', 73: 'EMPRESA DE TESTE' },
    over,
  );

type Payment = { readonly value?: number | string; readonly date?: string; readonly movement?: string };

/** The columns of payment date and value. */
export const PAYMENT_COLUMNS = { A: [94, 120], J: [145, 153], O: [100, 108], N: [88, 96] } as const;
export type Primary = keyof typeof PAYMENT_COLUMNS;

const SAMPLES: Readonly<Record<Primary, Columns>> = {
  A: { 18: '000', 21: '001', 24: '01234', 30: '000000054321', 44: 'FORNECEDOR', 102: 'BRL' },
  J: { 18: '00191876500000123450000001234567890123456789', 62: 'CEDENTE', 92: '31122099' },
  O: { 18: '84610000001234500001234567890123456789012345', 62: 'CONCESSIONARIA', 92: '31122099' },
  N: { 18: 'REF-1', 58: 'CONTRIBUINTE', 111: '002089', 117: '01', 119: '11222333000181', 133: '16' },
};

/** A payment: R$ 100,00 on 31 December 2099, included, unless told otherwise. */
export function payment(
  segment: Primary,
  { value = 10_000, date = '31122099', movement = '0' }: Payment = {},
  over: Columns = {},
): string {
  const [dateAt, valueAt] = PAYMENT_COLUMNS[segment];
  const fields = { 15: movement, 16: '00', [dateAt]: date, [valueAt]: digits(value, 15) };
  return line({ 1: '0010001300001', 14: segment }, SAMPLES[segment], fields, over);
}

/** A complementary segment: `B`, `C`, `J-52`, `W`, `W1` or `Z`. Its other columns hold no payment. */
export function complement(segment: string, over: Columns = {}): string {
  const own: Columns = segment === 'J-52' ? { 14: 'J', 18: '52' } : { 14: segment };
  const id: Columns = segment === 'B' ? { 18: '1', 19: '00052998224725' } : {};
  return line({ 1: '0010001300001' }, own, id, over);
}

export const lotTrailer = (lot: number, records: number, over: Columns = {}): string =>
  line({ 1: '001', 4: digits(lot, 4), 8: '5', 18: digits(records, 6), 24: '0'.repeat(18) }, over);

export const fileTrailer = (lots: number, records: number, over: Columns = {}): string =>
  line({ 1: '00199999', 18: digits(lots, 6), 24: digits(records, 6) }, over);

// The column before each value.
const VALUE_AFTER: Readonly<Record<string, number>> = { A: 119, J: 152, N: 95, O: 107 };

/** The value of a payment; 0 for any other detail. */
function valueIn(detail: string): number {
  const after = VALUE_AFTER[detail[13] ?? ''];
  const isPayment = /[09]/.test(detail[14] ?? '');
  return after === undefined || !isPayment ? 0 : Number(detail.slice(after, after + 15)) || 0;
}

/** The records of a valid file with these details in its lots; numbers and counts are set. */
export function remittance(...lots: readonly (readonly string[])[]): string[] {
  const body = lots.flatMap((details, index) => {
    const lot = index + 1;
    const own = details.map((detail, at) => line({ 1: detail, 4: digits(lot, 4), 9: digits(at + 1, 5) }));
    const sum = digits(
      details.reduce((total, detail) => total + valueIn(detail), 0),
      18,
    );
    return [lotHeader(lot), ...own, lotTrailer(lot, details.length + 2, { 24: sum })];
  });
  return [fileHeader(), ...body, fileTrailer(lots.length, body.length + 2)];
}

export const fileOf = (lines: readonly string[], delimiter = '\r\n'): Buffer =>
  Buffer.from(lines.map((each) => each + delimiter).join(''), 'latin1');

/** The bytes as a stream gives them, in chunks of this size. */
export async function* inChunks(bytes: Uint8Array, size = 65_536): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

/** The same with another sum in the trailers of all lots. */
export const withLotSums = (records: readonly string[], sum: string): string[] =>
  records.map((each) => (each[7] === '5' ? line({ 1: each, 24: sum }) : each));
