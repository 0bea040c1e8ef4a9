import { describe, expect, test } from 'vitest';
import type {
  HolderFields,
  StringType,
} from '../../../../functions/sandbox/authority/domain/issuing/icp-brasil.ts';
import { TAG } from '../../../../shared/der/tags.ts';
import { tlv, utf8String } from '../../../../shared/der/write.ts';
import { icpBrasilIdentity } from '../../../../shared/pki/icp-brasil/icp-brasil.ts';
import { inStringType, oddAltNames, otherName } from '../../../certificates/odd-certificates.ts';
import { type HolderOptions, testPki } from '../../../certificates/pki.ts';

const pki = testPki('p256');
const identity = (options: HolderOptions) =>
  icpBrasilIdentity(pki.holder({ key: 'p256', ...options }).certificate);
const withNames = (commonName: string, ...names: Buffer[]) =>
  identity({ commonName, change: { extensions: names.length ? [oddAltNames(names)] : [] } });
const field = (id: string, text: string, type: StringType = 'octets') =>
  otherName(id, inStringType(text, type));

const PERSON: HolderFields = {
  person: { cpf: '52998224725', birthDate: '15021980', nis: '12345678901', rg: '1234567', rgIssuer: 'SSPSP' },
  voter: { title: '123456789012', zone: '001', section: '0002', place: 'SAO PAULOSP' },
  email: 'jose@example.com.br',
  oab: '0012345SP',
};
const COMPANY: HolderFields = {
  company: {
    cnpj: '11222333000181',
    responsible: { name: 'MARIA DE JESUS', cpf: '11144477735', birthDate: '01121970' },
  },
  email: 'empresa@example.com.br',
};
const STRING_TYPES: StringType[] = ['octets', 'printable', 'utf8', 'ia5', 'teletex', 'bmp'];

/** Types that few authorities use, and Latin-1 in a UTF8String. */
const RARE: [string, (text: string) => Buffer][] = [
  ['VisibleString', (text) => tlv(TAG.VISIBLE_STRING, Buffer.from(text, 'latin1'))],
  ['NumericString', (text) => tlv(TAG.NUMERIC_STRING, Buffer.from(text, 'latin1'))],
  ['UniversalString', (text) => tlv(TAG.UNIVERSAL_STRING, utf32(text))],
  ['an OCTET STRING of Latin-1', (text) => tlv(TAG.OCTET_STRING, Buffer.from(text, 'latin1'))],
  ['a UTF8String of Latin-1', (text) => tlv(TAG.UTF8_STRING, Buffer.from(text, 'latin1'))],
];
const utf32 = (text: string): Buffer =>
  Buffer.concat(Array.from(text, (letter) => Buffer.from([0, 0, 0, letter.charCodeAt(0)])));

test.each(RARE)('fields written as %s are read like any other', (_, write) => {
  const fields = {
    '2.16.76.1.3.2': 'MARIA DA CONCEIÇÃO',
    '2.16.76.1.3.3': '12ABC34501DE35',
    '2.16.76.1.3.4': `0112197011144477735${'0'.repeat(26)}`,
    '2.16.76.1.3.8': 'AÇÚCAR S.A.',
  };
  const names = Object.entries(fields).map(([id, text]) => otherName(id, write(text)));
  expect(withNames('servidor', ...names)).toEqual({
    certificateType: 'Unknown',
    holder: 'company',
    cpf: '11144477735',
    cnpj: '12ABC34501DE35',
    personName: 'MARIA DA CONCEIÇÃO',
    companyName: 'AÇÚCAR S.A.',
    birthDate: '1970-12-01',
  });
});

describe("a person's certificate", () => {
  test.each(STRING_TYPES)('tells who the person is, in fields written as %s', (stringType) => {
    expect(identity({ commonName: 'JOSÉ DA SILVA:52998224725', fields: { ...PERSON, stringType } })).toEqual({
      certificateType: 'A1',
      holder: 'person',
      cpf: '52998224725',
      personName: 'JOSÉ DA SILVA',
      birthDate: '1980-02-15',
      rg: { number: '1234567', issuer: 'SSP', state: 'SP' },
      oab: { number: '12345', state: 'SP' },
      email: 'jose@example.com.br',
    });
  });

  test('says nothing of what is zeros', () => {
    const zeros = withNames(
      'JOSÉ',
      field('2.16.76.1.3.1', '0'.repeat(45)),
      field('2.16.76.1.4.2.1.1', '0'.repeat(7)),
    );
    expect(zeros).toEqual({ certificateType: 'Unknown', holder: 'unknown' });
    const onlyCpf = withNames('JOSÉ', field('2.16.76.1.3.1', `00000000${'52998224725'}${'0'.repeat(26)}`));
    expect(onlyCpf).toEqual({
      certificateType: 'Unknown',
      holder: 'person',
      cpf: '52998224725',
      personName: 'JOSÉ',
    });
  });

  test('keeps the places of its fields when it pads with spaces', () => {
    const padded = `        52998224725${' '.repeat(11)}        1234567SSP SP    \0`;
    expect(withNames('JOSÉ', field('2.16.76.1.3.1', padded))).toMatchObject({
      cpf: '52998224725',
      rg: { number: '1234567', issuer: 'SSP', state: 'SP' },
    });
  });

  test.each([
    ['SSPSP', { issuer: 'SSP', state: 'SP' }],
    ['SSP/MG', { issuer: 'SSP', state: 'MG' }],
    ['SESPDCMG', { issuer: 'SESPDC', state: 'MG' }],
    ['DETRAN', { issuer: 'DETRAN' }],
    ['RJ', { state: 'RJ' }],
    ['', {}],
  ])('whose RG was issued by %j', (rgIssuer, seen) => {
    const person = { cpf: '52998224725', rg: '1234567X', ...(rgIssuer && { rgIssuer }) };
    expect(identity({ fields: { person } }).rg).toEqual({ number: '1234567X', ...seen });
  });

  test.each(['31021980', '00001980', '15131980', '1502198A'])(
    'with the birth date %s has none',
    (birthDate) => {
      const seen = identity({ fields: { person: { cpf: '52998224725', birthDate } } });
      expect(seen).not.toHaveProperty('birthDate');
      expect(seen.cpf).toBe('52998224725');
    },
  );

  test('with a CPF whose check digits are wrong has no CPF', () => {
    expect(
      withNames('JOSÉ', field('2.16.76.1.3.1', `1502198052998224726${'0'.repeat(26)}`)).cpf,
    ).toBeUndefined();
  });

  test('cut short after the CPF still has it', () => {
    expect(withNames('JOSÉ', field('2.16.76.1.3.1', '1502198052998224725')).cpf).toBe('52998224725');
  });

  test('falls back on the common name, and only where the fields are silent', () => {
    expect(withNames('JOSÉ DA SILVA:52998224725')).toEqual({
      certificateType: 'Unknown',
      holder: 'person',
      cpf: '52998224725',
      personName: 'JOSÉ DA SILVA',
    });
    const both = withNames('JOSÉ:11144477735', field('2.16.76.1.3.1', '1502198052998224725'));
    expect(both).toMatchObject({ cpf: '52998224725', personName: 'JOSÉ' });
    expect(withNames('JOSÉ:12345678900')).toEqual({ certificateType: 'Unknown', holder: 'unknown' });
  });
});

describe("a company's certificate", () => {
  test.each(STRING_TYPES)(
    'tells the company and who answers for it, in fields written as %s',
    (stringType) => {
      expect(
        identity({ commonName: 'EMPRESA LTDA:11222333000181', fields: { ...COMPANY, stringType } }),
      ).toEqual({
        certificateType: 'A1',
        holder: 'company',
        cpf: '11144477735',
        cnpj: '11222333000181',
        personName: 'MARIA DE JESUS',
        companyName: 'EMPRESA LTDA',
        birthDate: '1970-12-01',
        email: 'empresa@example.com.br',
      });
    },
  );

  test('may have a CNPJ with letters, and a name in a field of its own', () => {
    const company = {
      cnpj: '12ABC34501DE35',
      name: 'AÇÚCAR S.A.',
      responsible: { name: 'M', cpf: '11144477735' },
    };
    const seen = identity({ commonName: 'servidor.example.com.br', fields: { company, stringType: 'utf8' } });
    expect(seen).toMatchObject({ holder: 'company', cnpj: '12ABC34501DE35', companyName: 'AÇÚCAR S.A.' });
  });

  test('falls back on the common name', () => {
    expect(withNames('EMPRESA LTDA:12ABC34501DE35')).toEqual({
      certificateType: 'Unknown',
      holder: 'company',
      cnpj: '12ABC34501DE35',
      companyName: 'EMPRESA LTDA',
    });
  });
});

test.each([
  ['2.16.76.1.2.1.999', 'A1'],
  ['2.16.76.1.2.2.1', 'A2'],
  ['2.16.76.1.2.3.55', 'A3'],
  ['2.16.76.1.2.4.1', 'A4'],
  ['2.16.76.1.2.101.1', 'S1'],
  ['2.16.76.1.2.102.1', 'S2'],
  ['2.16.76.1.2.103.1', 'S3'],
  ['2.16.76.1.2.104.1', 'S4'],
  ['2.16.76.1.2.203.1', 'T3'],
  ['2.16.76.1.2.204.1', 'T4'],
  ['2.16.76.1.2.11.1', 'Unknown'],
  ['2.16.76.1.7.1.11.1', 'Unknown'],
  ['2.5.29.32.0', 'Unknown'],
])('the type by the policy %s is %s', (policy, type) => {
  expect(identity({ policies: [policy] }).certificateType).toBe(type);
  expect(identity({ policies: ['2.23.140.1.2.2', policy] }).certificateType).toBe(type);
});

describe('the e-mail address', () => {
  test("is the subject's where the alternative names have none", () => {
    const subject = [
      ['commonName', 'JOSÉ'],
      ['emailAddress', 'old@example.com'],
    ] as const;
    const { email } = identity({ change: { subject, extensions: [] } });
    expect(email).toBe('old@example.com');
  });

  test('is absent where neither has one', () => {
    expect(identity({ fields: { person: { cpf: '47363361886' } } })).not.toHaveProperty('email');
  });
});

test('an otherName of something else says nothing', () => {
  expect(withNames('JOSÉ', otherName('1.3.6.1.4.1.311.20.2.3', utf8String('a@b')))).toEqual({
    certificateType: 'Unknown',
    holder: 'unknown',
  });
});
