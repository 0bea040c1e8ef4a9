import type { Digest } from '../../../../shared/signing/digest.ts';

/** The bytes of a signature: the digest that it signs, and its value. */
export type SignatureValues = {
  readonly field: string | undefined;
  readonly messageDigest: { readonly digest: Digest; readonly hash: Buffer } | undefined;
  readonly value: Buffer;
  /** The elements of XML that its references name, each by a path of the document. */
  readonly elements?: readonly SignedElement[];
};

/** An element of XML that a signature names. */
export type SignedElement = {
  readonly path: string;
  readonly localName: string;
  readonly namespaceUri: string | null;
  readonly attributes: readonly {
    readonly localName: string;
    readonly namespaceUri: string | null;
    readonly value: string;
  }[];
};
