import { parseCnpj } from '../../../../../shared/taxpayer/cnpj.ts';
import { parseCpf } from '../../../../../shared/taxpayer/cpf.ts';

// The rules a second time, and in another way: the whole file as one text, patterns over the sequence of its record
// types and segments, and sums at the end. The product reads one record at a time and keeps state.

type Count = { total: bigint; payments: number; cancellations: number; dates: string[] };

/** Counts a remittance; undefined if it is none. */
export function countRemittance(bytes: Buffer): Count | undefined {
  const lines = linesOf(bytes.toString('latin1'));
  if (!lines?.every((line) => line.startsWith('001'))) return undefined;
  const types = lines.map((line) => line[7]).join('');
  if (!/^0(13*5)+9$/.test(types)) return undefined;

  const header = lines[0] ?? '';
  const trailer = lines.at(-1) ?? '';
  const lots = [...types.matchAll(/13*5/g)].map(({ index, 0: { length } }) =>
    lines.slice(index, index + length),
  );
  const isRemittance = header.slice(3, 7) === '0000' && header[142] === '1';
  const isCounted =
    trailer.slice(3, 7) === '9999' && trailer.slice(17, 29) === six(lots.length) + six(lines.length);
  if (!isRemittance || !isCounted || !isPayer(header) || !lots.every(isLot)) return undefined;

  const payments = lots.flatMap(paymentsOf);
  if (!payments.every(isPayment)) return undefined;
  const included = payments.filter(({ movement }) => movement === '0');
  return {
    total: included.reduce((sum, { value }) => sum + BigInt(value), 0n),
    payments: included.length,
    cancellations: payments.length - included.length,
    dates: included
      .map(({ date }) => date.replace(/^(..)(..)(....)$/, '$3-$2-$1'))
      .filter(isDate)
      .toSorted(),
  };
}

const six = (count: number): string => count.toString().padStart(6, '0');

function linesOf(text: string): string[] | undefined {
  const whole = [/^(?:[^\r\n]{240}\r\n)+$/, /^(?:[^\r\n]{240}\n)+$/, /^(?:[^\r\n]{240})+$/];
  const fits = ['\r\n', '\n', ''].some(
    (end, index) => whole[index]?.test(text) || whole[index]?.test(text + end),
  );
  return fits ? (text.match(/[^\r\n]{240}/g) ?? undefined) : undefined;
}

function isLot(lot: readonly string[]): boolean {
  const [number = '', ...others] = lot.map((line) => line.slice(3, 7));
  const counted = lot.at(-1)?.slice(17, 23) === six(lot.length);
  const segments = /^[ABCJ†NOWZ]*$/.test(segmentsOf(lot));
  return (
    /^(?!0000|9999)[0-9]{4}$/.test(number) &&
    others.every((other) => other === number) &&
    isPayer(lot[0] ?? '') &&
    counted &&
    segments &&
    !hasMovingJ52(lot)
  );
}

// "†" is a J-52: a J with option 52 whose predecessor is a J. In J 52 52 the second 52 follows no J, and is one. Neither mark
// is a byte of a file.
const segmentsOf = (lot: readonly string[]): string =>
  lot
    .slice(1, -1)
    .map((line) => (/^J...52/.test(line.slice(13)) ? '‡' : line[13]))
    .join('')
    .replace(/[J‡]‡/g, 'J†')
    .replaceAll('‡', 'J');

const hasMovingJ52 = (lot: readonly string[]): boolean =>
  [...segmentsOf(lot)].some(
    (segment, index) => segment === '†' && /^\d/.test(lot[index + 1]?.slice(14) ?? ''),
  );

const LAYOUTS: Readonly<Record<string, RegExp>> = {
  A: /^.{14}(?<movement>.).{78}(?<date>.{8}).{18}(?<value>.{15})/s,
  J: /^.{14}(?<movement>.).{129}(?<date>.{8})(?<value>.{15})/s,
  O: /^.{14}(?<movement>.).{84}(?<date>.{8})(?<value>.{15})/s,
  N: /^.{14}(?<movement>.).{72}(?<date>.{8})(?<value>.{15}).{6}(?<taxpayer>.{16})/s,
};
type Found = { movement: string; date: string; value: string; taxpayer?: string };

const paymentsOf = (lot: readonly string[]): Found[] =>
  [...segmentsOf(lot)].flatMap((segment, index) => {
    const found = LAYOUTS[segment]?.exec(lot[index + 1] ?? '')?.groups;
    return found ? [found as Found] : [];
  });

const isPayment = ({ movement, value, taxpayer = '' }: Found): boolean =>
  '09'.includes(movement) &&
  /^[0-9]{15}$/.test(value) &&
  (taxpayer.startsWith('01') ? isCompany(taxpayer.slice(2)) : true) &&
  (taxpayer.startsWith('02') ? isPerson(taxpayer.slice(2)) : true);

const isNobody = (id: string): boolean => id === ' '.repeat(14) || id === '0'.repeat(14);
const isPerson = (id: string): boolean => isNobody(id) || /^000[0-9]{11}$/.test(id);
const isCompany = (id: string): boolean =>
  isNobody(id) ||
  (/^[0-9A-Z]{12}[0-9]{2}$/.test(id) &&
    !(id.startsWith('000') && parseCpf(id.slice(3)) !== undefined && parseCnpj(id) === undefined));

function isPayer(line: string): boolean {
  const id = line.slice(18, 32);
  if (isNobody(id)) return true;
  return line[17] === '1' ? isPerson(id) : line[17] === '2' && isCompany(id);
}

function isDate(iso: string): boolean {
  if (!/^[0-9]{4}-[0-9]{2}-[0-9]{2}$/.test(iso)) return false;
  const [year = 0, month = 0, day = 0] = iso.split('-').map(Number);
  const leap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  const days = [31, leap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1] ?? 0;
  return year > 0 && day > 0 && day <= days;
}
