import { describe, expect, test } from 'vitest';
import {
  type NameParts,
  nameOf,
} from '../../../../functions/sandbox/authority/domain/issuing/general-names.ts';
import { bytesOf } from '../../../../functions/sandbox/authority/domain/issuing/pkijs.ts';
import { readDer } from '../../../../shared/der/read.ts';
import { TAG } from '../../../../shared/der/tags.ts';
import { integer, oid, sequence, setOf, tlv, utf8String } from '../../../../shared/der/write.ts';
import { parseCertificate } from '../../../../shared/pki/certificate/certificate.ts';
import { nameModel } from '../../../../shared/pki/model/name-model.ts';
import { nameIsUnder, sameName } from '../../../../shared/pki/name/match.ts';
import { readName } from '../../../../shared/pki/name/name.ts';
import { oddName } from '../../../certificates/odd-certificates.ts';
import { hasOpenssl, openssl } from '../../signing/cms/openssl.ts';

const name = (parts: NameParts) => readName(readDer(bytesOf(nameOf(parts))));
const common = (value: string, as: 'utf8' | 'printable' | 'teletex' | 'bmp' | 'ia5' = 'utf8') =>
  readName(
    readDer(
      oddName([
        ['country', 'BR', 'printable'],
        ['commonName', value, as],
      ]),
    ),
  );

/** The names in openssl of the attributes in a name's model. */
const OPENSSL_NAMES = {
  country: 'C',
  organization: 'O',
  organizationUnit: 'OU',
  dnQualifier: 'dnQualifier',
  stateName: 'ST',
  commonName: 'CN',
  serialNumber: 'serialNumber',
  locality: 'L',
  title: 'title',
  surname: 'SN',
  givenName: 'GN',
  initials: 'initials',
  pseudonym: 'pseudonym',
  generationQualifier: 'generationQualifier',
  emailAddress: 'emailAddress',
} as const;
const madeUp = (field: string): string => (field === 'country' ? 'BR' : `the ${field}`);

describe('a name', () => {
  test('is written as RFC 4514 writes it: the most specific part first', () => {
    const parts: NameParts = [
      ['country', 'BR'],
      ['organization', 'ICP-Brasil'],
      ['organizationUnit', 'RFB'],
      ['organizationUnit', 'e-CPF A1'],
      ['commonName', 'JOSÉ DA CONCEIÇÃO:52998224725'],
    ];
    expect(name(parts).text).toBe('CN=JOSÉ DA CONCEIÇÃO:52998224725,OU=e-CPF A1,OU=RFB,O=ICP-Brasil,C=BR');
  });

  test.each([
    ['A, B + C', 'A\\, B \\+ C'],
    [' A ', '\\ A\\ '],
    [' ', '\\ '],
    ['#1', '\\#1'],
    ['a"b<c>d;e\\f', 'a\\"b\\<c\\>d\\;e\\\\f'],
    ['a=b#c', 'a=b#c'],
    ['a\0b', 'a\\00b'],
  ])('escapes %j', (value, written) => expect(common(value).text).toBe(`CN=${written},C=BR`));

  test('tells a type that has no short name by its bytes, and joins a step of two with a plus', () => {
    const step = setOf(sequence(oid('2.5.4.3'), utf8String('A')), sequence(oid('1.2.3.4'), utf8String('B')));
    expect(readName(readDer(sequence(step))).text).toBe('1.2.3.4=#0c0142+CN=A');
  });

  test('is read in every string type, even one that lies about its encoding', () => {
    for (const type of ['utf8', 'teletex', 'bmp'] as const)
      expect(common('CONCEIÇÃO', type).attributes.at(-1)?.value).toBe('CONCEIÇÃO');
    const latinInUtf8 = tlv(TAG.UTF8_STRING, Buffer.from('CONCEIÇÃO', 'latin1'));
    const lying = readName(readDer(sequence(setOf(sequence(oid('2.5.4.3'), latinInUtf8)))));
    expect(lying.attributes[0]?.value).toBe('CONCEIÇÃO');
    const number = readName(readDer(sequence(setOf(sequence(oid('2.5.4.3'), integer(5))))));
    expect(number.attributes[0]?.value).toBe('#020105');
  });

  test('is the same whatever its case, its string type and its runs of spaces', () => {
    expect(sameName(common('AC  Raiz'), common(' ac raiz ', 'printable'))).toBe(true);
    expect(sameName(common('CONCEIÇÃO', 'teletex'), common('conceição', 'bmp'))).toBe(true);
    expect(sameName(common('AC Raiz'), common('ACRaiz'))).toBe(false);
    expect(sameName(common('AC Raiz'), name([['commonName', 'AC Raiz']]))).toBe(false);
  });

  test('is the same whatever the order inside one step, and another in another order of steps', () => {
    const a = sequence(oid('2.5.4.3'), utf8String('A'));
    const b = sequence(oid('2.5.4.10'), utf8String('B'));
    const one = readName(readDer(sequence(tlv(TAG.SET, a, b))));
    expect(sameName(one, readName(readDer(sequence(tlv(TAG.SET, b, a)))))).toBe(true);
    const twice = readName(readDer(sequence(tlv(TAG.SET, a, a))));
    expect([sameName(one, twice), sameName(twice, one)]).toEqual([false, false]);
    expect(sameName(one, readName(readDer(sequence(setOf(a), setOf(b)))))).toBe(false);
  });

  test('lies under the names that it begins with', () => {
    const base = name([['country', 'br']]);
    expect(nameIsUnder(common('A'), base)).toBe(true);
    expect(nameIsUnder(common('A'), name([]))).toBe(true);
    expect(nameIsUnder(base, common('A'))).toBe(false);
    expect(nameIsUnder(common('A'), name([['country', 'PT']]))).toBe(false);
  });

  test.runIf(hasOpenssl)('that openssl wrote has every attribute in its field', () => {
    const args = [
      '-x509',
      '-newkey',
      'ec',
      '-pkeyopt',
      'ec_paramgen_curve:P-256',
      '-nodes',
      '-keyout',
      '/dev/null',
    ];
    const subject = Object.entries(OPENSSL_NAMES).map(([field, name]) => `/${name}=${madeUp(field)}`);
    const { stdout } = openssl('req', ...args, '-utf8', '-subj', subject.join(''), '-outform', 'DER');
    const model = nameModel(parseCertificate(stdout).subject);
    for (const field of Object.keys(OPENSSL_NAMES) as (keyof typeof OPENSSL_NAMES)[])
      expect([field, model[field]]).toEqual([field, madeUp(field)]);
  });

  test('shows the first value of each kind, every value by label, and null for the rest', () => {
    const model = nameModel(
      name([
        ['country', 'BR'],
        ['organizationUnit', 'RFB'],
        ['organizationUnit', 'e-CPF A1'],
        ['emailAddress', 'a@b.br'],
      ]),
    );
    expect(model).toEqual({
      country: 'BR',
      organization: null,
      organizationUnit: 'RFB',
      dnQualifier: null,
      stateName: null,
      commonName: null,
      serialNumber: null,
      locality: null,
      title: null,
      surname: null,
      givenName: null,
      initials: null,
      pseudonym: null,
      generationQualifier: null,
      emailAddress: 'a@b.br',
      allValues: { C: ['BR'], OU: ['RFB', 'e-CPF A1'], emailAddress: ['a@b.br'] },
      dnString: 'emailAddress=a@b.br,OU=e-CPF A1,OU=RFB,C=BR',
    });
  });
});

test('a name longer than any that X.520 allows is refused before its text is read', () => {
  expect(common('x'.repeat(32_000)).attributes).toHaveLength(2);
  expect(() => common('x'.repeat(40_000))).toThrow('more than the 32768 allowed');
});
