import { children, readDer } from '../../../shared/der/read.ts';
import { context, TAG } from '../../../shared/der/tags.ts';
import { explicit, integer, octetString, oid, sequence, time, tlv } from '../../../shared/der/write.ts';
import { testPki } from '../../certificates/pki.ts';

const DATA = '1.2.840.113549.1.7.1';
const SIGNED_DATA = '1.2.840.113549.1.7.2';
export const { certificate } = testPki().holder();
const [tbs = readDer(certificate.tbs), algorithm, signature] = children(readDer(certificate.der));
const fields = children(tbs).map(({ raw }) => raw);
export const signed = (content: Buffer): Buffer =>
  sequence(content, algorithm?.raw ?? Buffer.alloc(0), signature?.raw ?? Buffer.alloc(0));

/** So many bytes of one small element again and again, in no memory of their own but these bytes. */
export const crumbs = (element: Buffer, bytes: number): Buffer =>
  Buffer.alloc(bytes - (bytes % element.length), element);
const NULL = tlv(TAG.NULL);
export const nulls = (bytes: number): Buffer => crumbs(NULL, bytes);
export const step = tlv(TAG.SET, sequence(oid('2.5.4.3'), tlv(TAG.UTF8_STRING)));
export const extension = sequence(oid('1.2.3'), octetString(Buffer.alloc(0)));
export const indefinite = (content: Buffer): Buffer =>
  Buffer.concat([Buffer.from([TAG.SEQUENCE, 0x80]), content, Buffer.from([0, 0])]);

export const certificateWith = (at: number, field: Buffer): Buffer =>
  signed(sequence(...fields.with(at, field)));
export const extensions = (list: Buffer): Buffer => explicit(3, sequence(list));

export const crlWith = (entries: Buffer): Buffer => {
  const [, , inner = NULL, issuer = NULL] = fields;
  return signed(sequence(integer(1), inner, issuer, time(0), time(1e12), sequence(entries)));
};
// The bytes by which a list is searched: without them nothing in it is read.
export const searched = Buffer.concat([tlv(TAG.BOOLEAN, Buffer.from([0xff])), certificate.serialDer]);

export const signedData = (certificates: Buffer, signers: Buffer): Buffer => {
  const parts = [integer(1), tlv(TAG.SET), sequence(oid(DATA)), explicit(0, certificates)];
  return sequence(oid(SIGNED_DATA), explicit(0, sequence(...parts, tlv(TAG.SET, signers))));
};
export const attribute = (values: Buffer): Buffer => sequence(oid('1.2.3'), tlv(TAG.SET, values));
export const signer = (attributes: Buffer): Buffer =>
  sequence(
    integer(1),
    sequence(certificate.issuer.der, integer(5)),
    sequence(oid('2.16.840.1.101.3.4.2.1')),
    tlv(context(0), attributes),
    sequence(oid('1.2.840.113549.1.1.1')),
    octetString(Buffer.alloc(8)),
  );

export const pkcs12 = (parts: Buffer): Buffer =>
  sequence(integer(3), sequence(oid(DATA), explicit(0, octetString(parts))));

/** A list with so many honest entries, the last of them the certificate's. */
export function longList(entries: number): Buffer {
  const last = sequence(certificate.serialDer, time(0));
  const one = sequence(integer(2n ** 100n), time(0));
  const list = crumbs(one, entries * one.length);
  for (let at = 0; at < entries; at++) list.writeUInt32BE(at, at * one.length + 6);
  return crlWith(Buffer.concat([list, last]));
}
