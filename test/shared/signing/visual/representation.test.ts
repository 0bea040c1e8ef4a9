import { expect, test } from 'vitest';
import { boxIn } from '../../../../shared/signing/pades/appearance/box.ts';
import { areaOf } from '../../../../shared/signing/pades/appearance/place.ts';
import { toWinAnsi } from '../../../../shared/signing/pades/appearance/text.ts';
import { fillTags, unknownTags } from '../../../../shared/signing/visual/tags.ts';
import { paperOf } from '../../../../shared/signing/visual/units.ts';
import { holderKey } from '../cms/fixtures.ts';

const { certificate } = holderKey({
  fields: {
    person: { cpf: '52998224725', birthDate: '15021980', rg: '1234567', rgIssuer: 'SSPSP' },
    email: 'ana@example.com.br',
  },
  commonName: 'ANA PRADO:52998224725',
});

test.each([
  ['{{name}} ({{national_id}})', 'ANA PRADO (52998224725)'],
  ['{{ Name }}, {{EMAIL}}', 'ANA PRADO, ana@example.com.br'],
  ['{{subject_cn}}', 'ANA PRADO:52998224725'],
  ['{{br_cpf}} {{br_cpf_formatted}} {{br_cpf_masked}}', '52998224725 529.982.247-25 ***.982.247-**'],
  ['{{br_rg_numero}} {{br_rg_numero_masked}} {{br_rg_emissor}} {{br_rg_uf}}', '1234567 ****567 SSP SP'],
  ['[{{br_cnpj}}{{br_cnpj_formatted}}{{br_company}}{{br_oab_numero}}{{br_oab_uf}}]', '[]'],
  ['{{signerName}} {{signerEmail}} {{signerNationalId}}', 'ANA PRADO ana@example.com.br 52998224725'],
  ['{{issuer_cn}}={{issuerCommonName}}', expect.stringMatching(/^(.+)=\1$/)],
  // A name is no text to look for tags in.
  ['{name} {{na me}} $& {{}}', '{name} {{na me}} $& {{}}'],
])('the tags of %j are the facts of the signer', (text, filled) => {
  expect(fillTags(text, certificate)).toEqual(filled);
  expect(unknownTags(text)).toEqual([]);
});

test('a company is shown by its name and its number', () => {
  const company = holderKey({
    key: 'p384',
    keyName: 'company',
    commonName: 'EMPRESA TESTE LTDA:11222333000181',
    fields: {
      company: {
        cnpj: '11222333000181',
        name: 'EMPRESA TESTE LTDA',
        responsible: { cpf: '52998224725', name: 'ANA PRADO' },
      },
      oab: '0123456SP',
    },
  });
  expect(
    fillTags(
      '{{name}} {{br_cnpj_formatted}} {{br_responsavel}} {{br_oab_numero}}/{{br_oab_uf}}',
      company.certificate,
    ),
  ).toBe('EMPRESA TESTE LTDA 11.222.333/0001-81 ANA PRADO 123456/SP');
});

test('tags that nobody knows are found, whatever is around them', () => {
  expect(unknownTags('{{name}} {{age}} {{{{constructor}}}}')).toEqual(['age', 'constructor']);
});

const page = { width: 600, height: 800 };

test.each([
  [{ left: 100, width: 200, top: 50, height: 60 }, [100, 690, 200, 60]],
  [{ right: 100, width: 200, bottom: 50, height: 60 }, [300, 50, 200, 60]],
  [{ left: 100, right: 200, top: 300, bottom: 400 }, [100, 400, 300, 100]],
  [{ width: 200, height: 100 }, [200, 350, 200, 100]],
  [{}, [0, 0, 600, 800]],
])('the rectangle %j is where its margins say', (margins, [x, y, width, height]) => {
  expect(boxIn(page, margins)).toEqual({ x, y, width, height });
});

test.each([
  [{ left: 1, right: 1, width: 598 }, /3 of left, right, width/],
  [{ top: 5 }, /1 of top, bottom, height/],
  [{ left: 300, right: 300 }, /no room/],
  [{ width: 0 }, /no room/],
  [{ height: Number.NaN }, /no room/],
])('the rectangle %j is refused', (margins, message) => {
  expect(() => boxIn(page, margins)).toThrow(message);
});

test('a rectangle beside the page is refused', () => {
  const beside = { page: 1, within: { left: 700, width: 100, top: 0, height: 10 } };
  expect(() => areaOf(beside, page, [])).toThrow(/not on page 1/);
});

test.each([
  [{ paperSize: 'A5', pageOrientation: 'Landscape' }, 1.43],
  [{ paperSize: 'Custom', customPaperSize: { width: 15, height: 20 }, pageOrientation: 'Auto' }, 2],
  [{ paperSize: 'A4' }, 1.43],
] as const)('measures for %j are enlarged on a large page', (optimization, scale) => {
  const paper = paperOf('Centimeters', optimization);
  const place = { page: 1, within: { width: 10, height: 10 }, paper };
  const large = { width: (30 / 2.54) * 72, height: (42.52 / 2.54) * 72 };
  expect(areaOf(place, large, []).scale).toBeCloseTo(scale, 1);
});

test('every letter of European and Vietnamese text in Latin script is drawn, without an accent that fonts lack', () => {
  const between = (first: number, last: number): string[] =>
    Array.from({ length: last - first + 1 }, (_, at) => String.fromCodePoint(first + at));
  const letters = [...between(0xc0, 0x17f), ...between(0x1ea0, 0x1ef9)];
  expect(letters.filter((letter) => toWinAnsi(letter).includes('?'))).toEqual([]);
  expect(toWinAnsi('Nguyễn Văn Đức, Čapek, ﬁm, Gdańsk')).toBe('Nguyen Van Duc, Capek, fim, Gdansk');
  expect(toWinAnsi('Ольга 山田')).toBe('????? ??');
});
