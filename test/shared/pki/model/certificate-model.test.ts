import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { certificateModel, formatSerial } from '../../../../shared/pki/model/certificate-model.ts';
import { below, testKey, testPki } from '../../../certificates/pki.ts';

const pki = testPki('p256');
const { certificate, chain } = pki.holder({ key: 'p256', commonName: 'JOSÉ DA SILVA:52998224725' });
const model = certificateModel(certificate, chain);
const upperHex = (algorithm: string) =>
  createHash(algorithm).update(certificate.der).digest('hex').toUpperCase();

describe('the model of a certificate', () => {
  test('has every field of its contract, those without a value as null', () => {
    expect(Object.keys(model).sort()).toEqual(
      'binaryThumbprintSHA256 emailAddress issuer issuerDisplayName issuerName organization organizationIdentifier pkiBrazil pkiItaly serialNumber subjectCommonName subjectDisplayName subjectIdentifier subjectName thumbprint thumbprintSHA256 validityEnd validityStart'.split(
        ' ',
      ),
    );
    expect(Object.keys(model.pkiBrazil).sort()).toEqual(
      'certificateType cnpj companyName cpf dateOfBirth oabNumero oabUF responsavel rgEmissor rgEmissorUF rgNumero'.split(
        ' ',
      ),
    );
    expect(JSON.parse(JSON.stringify(model))).toEqual(model);
  });

  test('tells a lawyer by number and chapter', () => {
    const fields = { person: { cpf: '52998224725' }, oab: '0012345SP' };
    expect(certificateModel(pki.holder({ key: 'p256', fields }).certificate).pkiBrazil).toMatchObject({
      oabNumero: '12345',
      oabUF: 'SP',
    });
  });

  test('says who a person is', () => {
    expect(model).toMatchObject({
      subjectCommonName: 'JOSÉ DA SILVA:52998224725',
      subjectDisplayName: 'JOSÉ DA SILVA',
      subjectIdentifier: '52998224725',
      emailAddress: 'holder@example.com.br',
      organization: null,
      organizationIdentifier: null,
      pkiItaly: { codiceFiscale: null },
      pkiBrazil: {
        certificateType: 'A1',
        cpf: '52998224725',
        cnpj: null,
        responsavel: 'JOSÉ DA SILVA',
        dateOfBirth: '1980-02-15',
        companyName: null,
        oabUF: null,
        oabNumero: null,
        rgEmissor: 'SSP',
        rgEmissorUF: 'SP',
        rgNumero: '1234567',
      },
    });
  });

  test('says what a company is and who answers for it', () => {
    const company = { cnpj: '11222333000181', responsible: { name: 'MARIA', cpf: '11144477735' } };
    const options = { key: 'p256', commonName: 'EMPRESA LTDA:11222333000181', fields: { company } } as const;
    expect(certificateModel(pki.holder(options).certificate)).toMatchObject({
      subjectDisplayName: 'EMPRESA LTDA',
      subjectIdentifier: '11222333000181',
      organization: 'EMPRESA LTDA',
      organizationIdentifier: '11222333000181',
      issuer: null,
      pkiBrazil: {
        cpf: '11144477735',
        cnpj: '11222333000181',
        responsavel: 'MARIA',
        companyName: 'EMPRESA LTDA',
      },
    });
  });

  test.each([
    ['TINIT-RSSMRA80A01H501U', 'RSSMRA80A01H501U'],
    ['IT:RSSMRA80A01H501U', 'RSSMRA80A01H501U'],
    ['TINPT-123456789', null],
    ['RSSMRA80A01H501U', null],
  ])('with the serial number %s in its subject has the Italian tax code %s', (number, code) => {
    const subject = [
      ['country', 'IT'],
      ['serialNumber', number],
    ] as const;
    const { certificate: other } = pki.holder({ key: 'p256', change: { subject, extensions: [] } });
    expect(certificateModel(other)).toMatchObject({
      subjectIdentifier: number,
      pkiItaly: { codiceFiscale: code },
    });
  });

  test('has its serial number in decimal, which clients read as a number', () => {
    expect(model.serialNumber).toMatch(/^\d+$/);
    expect(BigInt(model.serialNumber)).toBe(BigInt(`0x${certificate.serialHex}`));
    expect(model.issuer?.serialNumber).toMatch(/^\d+$/);
  });

  test('has thumbprints as certificate viewers show them, and times in UTC', () => {
    expect(model.thumbprint).toBe(upperHex('sha1'));
    expect(model.thumbprintSHA256).toBe(upperHex('sha256'));
    expect(Buffer.from(model.binaryThumbprintSHA256, 'base64').toString('hex').toUpperCase()).toBe(
      upperHex('sha256'),
    );
    expect(Date.parse(model.validityStart)).toBe(certificate.notBeforeMs);
    expect(model.validityEnd).toMatch(/Z$/);
  });

  test('nests its issuers up to the root, whose issuer is null', () => {
    expect(model.issuer?.subjectCommonName).toBe('AC Intermediaria de Testes p256');
    expect(model.issuerDisplayName).toBe('AC Intermediaria de Testes p256');
    expect(model.issuer?.issuer?.subjectCommonName).toBe('Autoridade Certificadora Raiz de Testes p256');
    expect(model.issuer?.issuer?.issuer).toBeNull();
    expect(model.issuer?.organization).toBe('ICP-Brasil');
  });

  test('does not take a stranger for an issuer', () => {
    expect(certificateModel(certificate, [pki.root.certificate]).issuer).toBeNull();
  });

  test('does not take the zero that keeps a serial number positive for a part of it', () => {
    const { certificate: numbered } = below(pki.root, testKey('p256', 'holder'), () => ({
      subject: [['organization', 'SEM NOME']],
      extensions: [],
      serialNumber: 0x8fn,
    }));
    expect([numbered.serialHex, formatSerial(numbered)]).toEqual(['008f', '8F']);
    expect(certificateModel(numbered)).toMatchObject({
      serialNumber: '143',
      subjectCommonName: null,
      subjectDisplayName: 'SEM NOME',
      organization: 'SEM NOME',
    });
  });
});
