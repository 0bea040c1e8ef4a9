import { createHash, type KeyObject, sign as signBytes } from 'node:crypto';
import { type Digest, hashOf } from '../../../../shared/signing/digest.ts';
import { signatureTemplate } from '../../../../shared/signing/xades/template.ts';
import type { Holder } from '../../../certificates/pki.ts';

export const DS = 'http://www.w3.org/2000/09/xmldsig#';
const EXCLUSIVE = 'http://www.w3.org/2001/10/xml-exc-c14n#';

export const base64 = (bytes: Buffer): string => bytes.toString('base64');
export const sha256 = (text: string | Buffer): string => createHash('sha256').update(text).digest('base64');

export type Made = {
  readonly holder: Holder;
  /** The element that is SignatureMethod's algorithm and what it holds. */
  readonly method?: { readonly uri: string; readonly parameters?: string };
  readonly sign?: (bytes: Buffer) => Buffer;
  /** The digest of the content, which is `<a>…</a>` around the signature. */
  readonly digest?: { readonly uri: string; readonly name: Digest };
  /** Changes the text before the digests and the value are put in. */
  readonly change?: (signature: string) => string;
  /** What the content's digest is taken of. */
  readonly content?: string | Buffer;
  readonly uri?: string;
  readonly around?: (signature: string) => string;
};

const SHA256 = { uri: 'http://www.w3.org/2001/04/xmlenc#sha256', name: 'sha256' } as const;
const RSA_SHA256 = { uri: 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256' };

/**
 * A XAdES signature with any algorithm, by node:crypto. Its parts are written on one line as their canonical form has
 * them, so that no code of ours makes what ours is to verify.
 */
export function makeSigned({
  holder: { certificate, chain, privateKey },
  method = RSA_SHA256,
  sign = (bytes) => signBytes('sha256', bytes, privateKey as KeyObject),
  digest = SHA256,
  change = (text) => text,
  content = '<a>100</a>',
  uri = '',
  around = (signature) => `<a>100${signature}</a>`,
}: Made): Buffer {
  const template = change(
    signatureTemplate({
      ...{ id: 's', certificate, chain, digest: 'sha256', signingTimeMs: Date.now(), mimeType: 'text/xml' },
      ...{ uri, without: 'this-signature', canonicalization: 'exclusive' },
    })
      .replace(
        /<ds:SignatureMethod Algorithm="[^"]*">/,
        `<ds:SignatureMethod Algorithm="${method.uri}">${method.parameters ?? ''}`,
      )
      .replace(SHA256.uri, digest.uri),
  );
  const filled = template
    .replace('<ds:DigestValue></', `<ds:DigestValue>${base64(hashOf(digest.name, Buffer.from(content)))}</`)
    .replace('<ds:DigestValue></', `<ds:DigestValue>${sha256(canonicalProperties(template))}</`);
  return Buffer.from(around(withValue(filled, sign)));
}

/** The same signature with its value made anew. */
export const withValue = (signature: string, sign: (bytes: Buffer) => Buffer): string =>
  signature.replace(
    /(<ds:SignatureValue[^>]*>)[^<]*/,
    `$1${base64(sign(Buffer.from(canonicalPart(signature, 'SignedInfo'))))}`,
  );

const partIn = (text: string, name: string): string =>
  new RegExp(`<${name}[ >].*?</${name}>`, 's').exec(text)?.[0] ?? '';

/** A part of the signature in canonical form, inclusive or exclusive: nothing but `ds` is in scope or used. */
export const canonicalPart = (signature: string, name: string): string =>
  partIn(signature, `ds:${name}`).replace(`<ds:${name}`, `$& xmlns:ds="${DS}"`);

// Exclusive: each outermost element of a prefix says what it stands for.
export const canonicalProperties = (signature: string): string =>
  partIn(signature, 'xades:SignedProperties')
    .replace('<xades:SignedProperties', `$& ${/xmlns:xades="[^"]*"/.exec(signature)?.[0]}`)
    .replace(/<ds:\w+/g, `$& xmlns:ds="${DS}"`);

/** A transform of a reference. */
export const transform = (algorithm: string, content = ''): string =>
  `<ds:Transform Algorithm="${algorithm}">${content}</ds:Transform>`;
export const CANONICAL = transform(EXCLUSIVE);
export const ENVELOPED = transform(`${DS}enveloped-signature`);
