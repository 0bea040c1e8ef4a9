import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatCnpj, parseCnpj } from '../../../shared/taxpayer/cnpj.ts';
import { checkDigitsOfCpf, formatCpf, maskCpf, parseCpf } from '../../../shared/taxpayer/cpf.ts';
import { parseTaxpayer } from '../../../shared/taxpayer/taxpayer.ts';

const CPFS = ['52998224725', '11144477735', '12345678909', '56072386105', '87378011126', '47363361886'];
const CNPJS = ['34785515000166', '11222333000181', '12ABC34501DE35'];
const DIGITS = [...'0123456789'];
const LETTERS_AND_DIGITS = [...'0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
const text = (characters: string[], length: number) =>
  fc
    .array(fc.constantFrom(...characters), { minLength: length, maxLength: length })
    .map((all) => all.join(''));

/** These characters with every pair of final digits. */
const endings = (start: string) => Array.from({ length: 100 }, (_, n) => start + String(n).padStart(2, '0'));

describe('a CPF', () => {
  test.each(CPFS)('%s is one, bare and punctuated', (cpf) => {
    const parsed = parseCpf(cpf);
    expect(parsed).toBe(cpf);
    expect(parsed && parseCpf(formatCpf(parsed))).toBe(cpf);
  });

  test.each(DIGITS)('of eleven times %s is none, though its check digits hold', (digit) => {
    expect(parseCpf(digit.repeat(11))).toBeUndefined();
  });

  test.each([
    '',
    '5299822472',
    '529982247250',
    '52998224726',
    '529.982.24725',
    '529-982-247.25',
    ' 52998224725',
    '52998224725\n',
    '5299822472A',
    '５2998224725',
    '٥٢٩٩٨٢٢٤٧٢٥',
  ])('is not read out of %j', (wrong) => expect(parseCpf(wrong)).toBeUndefined());

  test('has exactly one right pair of check digits for any nine digits', () => {
    fc.assert(
      fc.property(text(DIGITS, 9), (nine) => {
        fc.pre(new Set(nine).size > 1);
        expect(endings(nine).filter(parseCpf)).toHaveLength(1);
      }),
    );
  });

  test('has one mask, and another only where a contract asks for the check digits', () => {
    const cpf = parseCpf('52998224725');
    expect(cpf && [maskCpf(cpf), checkDigitsOfCpf(cpf)]).toEqual(['***.982.247-**', '***.***.***-25']);
  });
});

describe('a CNPJ', () => {
  test.each(CNPJS)('%s is one, bare, punctuated and in small letters', (cnpj) => {
    const parsed = parseCnpj(cnpj);
    expect(parsed).toBe(cnpj);
    expect(parsed && parseCnpj(formatCnpj(parsed))).toBe(cnpj);
    expect(parseCnpj(cnpj.toLowerCase())).toBe(cnpj);
  });

  test('is punctuated as 12.ABC.345/01DE-35', () => {
    const cnpj = parseCnpj('12ABC34501DE35');
    expect(cnpj && formatCnpj(cnpj)).toBe('12.ABC.345/01DE-35');
  });

  test.each([
    '',
    '00000000000000',
    '11222333000182',
    '1122233300018',
    '112223330001811',
    '11.222.333/000181',
    '12ABC34501DEA5',
    '12ABC34501DE3A',
    '12ABÇ34501DE35',
    '12ſBC34501DE35',
    '11222333000181\n',
  ])('is not read out of %j', (wrong) => expect(parseCnpj(wrong)).toBeUndefined());

  test('has exactly one right pair of check digits for any twelve characters', () => {
    fc.assert(
      fc.property(text(LETTERS_AND_DIGITS, 12), (twelve) => {
        fc.pre(new Set(twelve).size > 1);
        expect(endings(twelve).filter(parseCnpj)).toHaveLength(1);
      }),
    );
  });
});

describe('a taxpayer', () => {
  test('is a person by eleven characters and a company by fourteen, letters or not', () => {
    expect(CPFS.map((cpf) => parseTaxpayer(cpf)?.kind)).toEqual(CPFS.map(() => 'CPF'));
    expect(CNPJS.map((cnpj) => parseTaxpayer(cnpj)?.kind)).toEqual(CNPJS.map(() => 'CNPJ'));
    expect(parseTaxpayer('123456789012')).toBeUndefined();
  });

  test('is never read out of noise, and noise never throws', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (noise) => {
        const who = parseTaxpayer(noise);
        expect(who === undefined || /^([0-9]{11}|[0-9A-Z]{12}[0-9]{2})$/.test(who.number)).toBe(true);
      }),
    );
  });
});
