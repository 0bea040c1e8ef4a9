import { children, readDer } from '../../../shared/der/read.ts';
import { context, TAG } from '../../../shared/der/tags.ts';
import {
  explicit,
  header,
  integer,
  octetString,
  oid,
  sequence,
  time,
  tlv,
} from '../../../shared/der/write.ts';
import { parseCertificate } from '../../../shared/pki/certificate.ts';
import { subjectAltNames } from '../../../shared/pki/extensions.ts';
import { certificatesIn } from '../../../shared/pki/path/certificates-in.ts';
import { openPkcs12 } from '../../../shared/pki/pkcs12/open.ts';
import { parseCrl } from '../../../shared/pki/revocation/crl.ts';
import { entryFor, unknownCriticalEntry } from '../../../shared/pki/revocation/crl-entries.ts';
import { parseOcspResponse } from '../../../shared/pki/revocation/ocsp-response.ts';
import { readSignedData } from '../../../shared/signing/cms/read.ts';
import { testPki } from '../../pki.ts';

const DATA = '1.2.840.113549.1.7.1';
const SIGNED_DATA = '1.2.840.113549.1.7.2';
const { certificate } = testPki().holder();
const [tbs = readDer(certificate.tbs), algorithm, signature] = children(readDer(certificate.der));
const fields = children(tbs).map(({ raw }) => raw);
const signed = (content: Buffer): Buffer =>
  sequence(content, algorithm?.raw ?? Buffer.alloc(0), signature?.raw ?? Buffer.alloc(0));

/** So many bytes of one small element again and again, in no memory of their own but these bytes. */
const crumbs = (element: Buffer, bytes: number): Buffer =>
  Buffer.alloc(bytes - (bytes % element.length), element);
const NULL = tlv(TAG.NULL);
const nulls = (bytes: number): Buffer => crumbs(NULL, bytes);
const step = tlv(TAG.SET, sequence(oid('2.5.4.3'), tlv(TAG.UTF8_STRING)));
const extension = sequence(oid('1.2.3'), octetString(Buffer.alloc(0)));
const indefinite = (content: Buffer): Buffer =>
  Buffer.concat([Buffer.from([TAG.SEQUENCE, 0x80]), content, Buffer.from([0, 0])]);

const certificateWith = (at: number, field: Buffer): Buffer => signed(sequence(...fields.with(at, field)));
const extensions = (list: Buffer): Buffer => explicit(3, sequence(list));

const crlWith = (entries: Buffer): Buffer => {
  const [, , inner = NULL, issuer = NULL] = fields;
  return signed(sequence(integer(1), inner, issuer, time(0), time(1e12), sequence(entries)));
};
const readList = (bytes: Buffer): unknown => {
  const crl = parseCrl(bytes);
  return unknownCriticalEntry(crl) ?? entryFor(crl, certificate);
};
// The bytes by which a list is searched: without them nothing in it is read.
const searched = Buffer.concat([tlv(TAG.BOOLEAN, Buffer.from([0xff])), certificate.serialDer]);

const signedData = (certificates: Buffer, signers: Buffer): Buffer => {
  const parts = [integer(1), tlv(TAG.SET), sequence(oid(DATA)), explicit(0, certificates)];
  return sequence(oid(SIGNED_DATA), explicit(0, sequence(...parts, tlv(TAG.SET, signers))));
};
const attribute = (values: Buffer): Buffer => sequence(oid('1.2.3'), tlv(TAG.SET, values));
const signer = (attributes: Buffer): Buffer =>
  sequence(
    integer(1),
    sequence(certificate.issuer.der, integer(5)),
    sequence(oid('2.16.840.1.101.3.4.2.1')),
    tlv(context(0), attributes),
    sequence(oid('1.2.840.113549.1.1.1')),
    octetString(Buffer.alloc(8)),
  );

const pkcs12 = (parts: Buffer): Buffer =>
  sequence(integer(3), sequence(oid(DATA), explicit(0, octetString(parts))));
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
    read: certificatesIn,
  },
  'a bundle of crumbs in BER': { make: (bytes) => indefinite(nulls(bytes)), read: certificatesIn },
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

/** A list with so many honest entries, the last of them the certificate's. */
export function longList(entries: number): Buffer {
  const last = sequence(certificate.serialDer, time(0));
  const one = sequence(integer(2n ** 100n), time(0));
  const list = crumbs(one, entries * one.length);
  for (let at = 0; at < entries; at++) list.writeUInt32BE(at, at * one.length + 6);
  return crlWith(Buffer.concat([list, last]));
}

export const findInList = readList;
