import type { Digest } from '../../../../shared/signing/digest.ts';

/** The bytes of a signature: the digest that it signs, and its value. */
export type SignatureValues = {
  readonly field: string | undefined;
  readonly messageDigest: { readonly digest: Digest; readonly hash: Buffer } | undefined;
  readonly value: Buffer;
  /** The element of XML that it covers. */
  readonly element?: SignedElement | undefined;
};

/** An element of XML that a signature covers. */
export type SignedElement = {
  readonly localName: string;
  readonly namespaceUri: string | null;
  readonly attributes: readonly {
    readonly localName: string;
    readonly namespaceUri: string | null;
    readonly value: string;
  }[];
};
