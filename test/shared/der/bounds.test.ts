import { describe, expect, test } from 'vitest';
import { TAG } from '../../../shared/der/tags.ts';
import { NULL, octetString, oid, sequence, tlv } from '../../../shared/der/write.ts';
import { parseCertificate } from '../../../shared/pki/certificate/certificate.ts';
import { readCertificates } from '../../../shared/pki/certificates-in.ts';
import { CrlMalformed } from '../../../shared/pki/revocation/crl/crl.ts';
import { readSignedData } from '../../../shared/signing/cms/read.ts';
import {
  attribute,
  certificate,
  certificateWith,
  crlWith,
  crumbs,
  extensions,
  nulls,
  searched,
  signedData,
  signer,
  step,
} from './der-shapes.ts';
import { readList } from './hostile-der.ts';

const times = (count: number, element: Buffer): Buffer => crumbs(element, count * element.length);
const none = Buffer.alloc(0);
const tooMany = (most: number) => expect.objectContaining({ message: expect.stringContaining(`${most}`) });

// Each bound is far above any honest file, and memory stays within it: some 300 bytes an element.
describe('memory holds at most', () => {
  test('40 attributes in a name', () => {
    const named = (count: number) => certificateWith(5, sequence(times(count, step)));
    expect(parseCertificate(named(40)).subject.attributes).toHaveLength(40);
    expect(() => parseCertificate(named(41))).toThrow(tooMany(40));
    const crowded = tlv(TAG.SET, times(21, sequence(oid('2.5.4.3'), tlv(TAG.UTF8_STRING))));
    expect(() => parseCertificate(certificateWith(5, sequence(crowded, crowded)))).toThrow(tooMany(40));
  });

  test('50 extensions in a certificate', () => {
    const extended = (count: number) => {
      const list = Array.from({ length: count }, (_, at) => sequence(oid(`1.2.${at}`), octetString(none)));
      return certificateWith(7, extensions(Buffer.concat(list)));
    };
    expect(parseCertificate(extended(50)).extensions.size).toBe(50);
    expect(() => parseCertificate(extended(51))).toThrow(tooMany(50));
  });

  test('100 attributes and values for each signer', () => {
    const values = (count: number) => signedData(none, signer(attribute(times(count, NULL))));
    expect(readSignedData(values(100)).signers[0]?.signed.get('1.2.3')).toHaveLength(100);
    expect(() => readSignedData(values(101))).toThrow(tooMany(100));
  });

  test('256 certificates in a signature, and 500 in a bundle, whose rest is left out', () => {
    const holding = (count: number) => signedData(times(count, certificate.der), none);
    expect(readSignedData(holding(256)).certificates).toHaveLength(256);
    expect(() => readSignedData(holding(257))).toThrow(tooMany(256));
    expect(readCertificates(holding(501))).toHaveLength(500);
  });
});

test('an entry of a revocation list that is too short to be one is refused at once', () => {
  expect(() => readList(crlWith(Buffer.concat([nulls(1000), searched])))).toThrow(CrlMalformed);
});
