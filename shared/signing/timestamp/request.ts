import { childrenOf, type Element, expectTag, readBoolean, readCount, readOid } from '../../der/read.ts';
import { context, TAG } from '../../der/tags.ts';
import { boolean, integer, oid, sequence } from '../../der/write.ts';
import { readElement } from '../cms/ber-or-der.ts';
import type { Digest } from '../digest.ts';
import { type Imprint, readImprint, writeImprint } from './info.ts';

/** A TimeStampReq (RFC 3161, 2.4.1). */
export type TimestampRequest = {
  readonly version: number;
  readonly imprint: Imprint;
  readonly policy: string | undefined;
  /** The encoded INTEGER, which the answer must repeat. */
  readonly nonce: Buffer | undefined;
  readonly wantsCertificate: boolean;
  readonly hasExtensions: boolean;
};

export type RequestInput = {
  readonly digest: Digest;
  readonly hash: Buffer;
  readonly nonce: Buffer;
  readonly policy?: string | undefined;
};

/** Writes a request for a token with the authority's certificate. The nonce prevents replay of an old answer. */
export const writeRequest = ({ digest, hash, nonce, policy }: RequestInput): Buffer =>
  sequence(
    integer(1),
    writeImprint(digest, hash),
    ...(policy === undefined ? [] : [oid(policy)]),
    nonce,
    boolean(true),
  );

/** Throws CmsMalformed and nothing else. @example const { imprint, nonce } = readRequest(body); */
export const readRequest = (bytes: Buffer): TimestampRequest => readElement(bytes, readRequestFields);

function readRequestFields(element: Element): TimestampRequest {
  const [version, imprint, ...rest] = childrenOf(element, TAG.SEQUENCE);
  const take = (tag: number): Element | undefined => (rest[0]?.tag === tag ? rest.shift() : undefined);
  const policy = take(TAG.OID);
  const nonce = take(TAG.INTEGER);
  const wantsCertificate = take(TAG.BOOLEAN);
  const extensions = take(context(0));
  if (rest[0]) expectTag(rest[0], context(0));
  return {
    version: readCount(version),
    imprint: readImprint(imprint),
    policy: policy && readOid(policy),
    nonce: nonce?.raw,
    wantsCertificate: wantsCertificate !== undefined && readBoolean(wantsCertificate),
    hasExtensions: extensions !== undefined,
  };
}
