import type { Digest } from '../../../../shared/signing/digest.ts';

/** The bytes of a signature: the digest that it signs, and its value. */
export type SignatureValues = {
  readonly field: string | undefined;
  readonly messageDigest: { readonly digest: Digest; readonly hash: Buffer } | undefined;
  readonly value: Buffer;
};
