import { context, TAG } from '../../../shared/der/tags.ts';
import { header, octetString, oid, sequence, time, tlv } from '../../../shared/der/write.ts';
import { parseCertificate } from '../../../shared/pki/certificate/certificate.ts';
import { readCertificates } from '../../../shared/pki/certificates-in.ts';
import { subjectAltNames } from '../../../shared/pki/extensions/extensions.ts';
import { openPkcs12 } from '../../../shared/pki/pkcs12/open.ts';
import { parseCrl } from '../../../shared/pki/revocation/crl/crl.ts';
import { findEntry, findUnknownCriticalEntry } from '../../../shared/pki/revocation/crl/entries.ts';
import { parseOcspResponse } from '../../../shared/pki/revocation/ocsp/response.ts';
import { readSignedData } from '../../../shared/signing/cms/read.ts';
import {
  attribute,
  certificate,
  certificateWith,
  crlWith,
  crumbs,
  extension,
  extensions,
  indefinite,
  nulls,
  pkcs12,
  searched,
  signed,
  signedData,
  signer,
  step,
} from './der-shapes.ts';

/** All that is looked for in a list. */
export const readList = (bytes: Buffer): unknown => {
  const crl = parseCrl(bytes);
  return findUnknownCriticalEntry(crl) ?? findEntry(crl, certificate);
};
const open = (bytes: Buffer): unknown => openPkcs12(bytes, '1234');

export type Hostile = {
  /** About so many bytes of it. */
  readonly make: (bytes: number) => Buffer;
  readonly read: (bytes: Buffer) => unknown;
};

/** Structures of very many tiny elements, where any would have to be held. */
export const HOSTILE: Record<string, Hostile> = {
  'a certificate of crumbs': { make: (bytes) => sequence(nulls(bytes)), read: parseCertificate },
  'a certificate whose body is crumbs': {
    make: (bytes) => signed(sequence(nulls(bytes))),
    read: parseCertificate,
  },
  'a certificate whose algorithm is crumbs': {
    make: (bytes) => certificateWith(2, sequence(oid('1.2.3'), nulls(bytes))),
    read: parseCertificate,
  },
  'a certificate whose subject has thousands of steps': {
    make: (bytes) => certificateWith(5, sequence(crumbs(step, bytes))),
    read: parseCertificate,
  },
  'a certificate with thousands of extensions': {
    make: (bytes) => certificateWith(7, extensions(crumbs(extension, bytes))),
    read: parseCertificate,
  },
  'a certificate for thousands of names': {
    make: (bytes) => {
      const names = sequence(crumbs(tlv(context(2, 'primitive')), bytes));
      return certificateWith(7, extensions(sequence(oid('2.5.29.17'), octetString(names))));
    },
    read: (bytes) => subjectAltNames(parseCertificate(bytes)),
  },
  'a revocation list of crumbs': { make: (bytes) => sequence(nulls(bytes)), read: readList },
  'a revocation list whose body is crumbs': {
    make: (bytes) => signed(sequence(nulls(bytes))),
    read: readList,
  },
  'a revocation list whose entries are crumbs': {
    make: (bytes) => crlWith(Buffer.concat([nulls(bytes), searched])),
    read: readList,
  },
  'a revocation list with an entry of crumbs': {
    make: (bytes) => crlWith(sequence(certificate.serialDer, time(0), sequence(crumbs(extension, bytes)))),
    read: readList,
  },
  'an OCSP response of crumbs': { make: (bytes) => sequence(nulls(bytes)), read: parseOcspResponse },
  'a CMS whose certificates are crumbs': {
    make: (bytes) => signedData(nulls(bytes), Buffer.alloc(0)),
    read: readSignedData,
  },
  'a CMS with attributes of crumbs': {
    make: (bytes) => signedData(Buffer.alloc(0), crumbs(signer(attribute(nulls(1990))), bytes)),
    read: readSignedData,
  },
  'a CMS of certificates with thousands of steps': {
    make: (bytes) => {
      const many = certificateWith(5, sequence(crumbs(step, 20_000)));
      return signedData(crumbs(many, bytes), Buffer.alloc(0));
    },
    read: readSignedData,
  },
  'a bundle whose certificates are crumbs': {
    make: (bytes) => signedData(nulls(bytes), Buffer.alloc(0)),
    read: readCertificates,
  },
  'a bundle of crumbs in BER': { make: (bytes) => indefinite(nulls(bytes)), read: readCertificates },
  'a PKCS#12 file of crumbs': { make: (bytes) => sequence(nulls(bytes)), read: open },
  'a PKCS#12 file of crumbs in BER': { make: (bytes) => indefinite(nulls(bytes)), read: open },
  'a PKCS#12 file whose parts are crumbs': {
    make: (bytes) => pkcs12(sequence(nulls(bytes))),
    read: open,
  },
  'a PKCS#12 file with a string in crumbs': {
    make: (bytes) => {
      const pieces = crumbs(octetString(Buffer.alloc(0)), bytes);
      return Buffer.concat([header(TAG.OCTET_STRING | 0x20, pieces.length), pieces]);
    },
    read: open,
  },
};
