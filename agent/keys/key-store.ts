import type { Certificate } from '../../shared/pki/certificate/certificate.ts';
import type { SigningDigest } from '../../shared/signing/digest.ts';

/** The contents of a token or file, as far as they are visible without its PIN. */
export type Contents = {
  /** Identifies the token or file. Another one has another PIN. */
  readonly source: string;
  /** Undefined where they are visible only with the PIN. */
  readonly certificates: readonly Certificate[] | undefined;
  /** One more wrong PIN locks it. */
  readonly lastTry: boolean;
};

/** The result of presenting a PIN. */
export type PresentResult =
  | { readonly kind: 'accepted'; readonly certificates: readonly Certificate[] }
  | { readonly kind: 'rejected' }
  /** Too many wrong PINs: only the issuer's code (PUK) unlocks it. */
  | { readonly kind: 'locked' }
  | { readonly kind: 'unusable'; readonly reason: string };

export type HashToSign = {
  readonly sha256: string;
  readonly digest: SigningDigest;
  readonly hash: Buffer;
};

/** The token no longer accepts the PIN in use. */
export class PinRejected extends Error {
  override readonly name = 'PinRejected';
}

/** The key cannot be used, and no PIN helps. */
export class KeyUnusable extends Error {
  override readonly name = 'KeyUnusable';
}

/** Where the holder's keys are: a PKCS#11 token or a PKCS#12 file. */
export type KeyStore = {
  /** For messages. */
  readonly name: string;
  /** Undefined when the token is out or the file is gone. */
  look(): Promise<Contents | undefined>;
  /** Presents a PIN that the holder typed. No other PIN is ever presented. */
  present(pin: string): Promise<PresentResult>;
  /** Throws PinRejected or KeyUnusable. */
  sign(hash: HashToSign, pin: string): Promise<Buffer>;
  /** Closes what the PIN had opened. */
  lock(): void;
  close(): void;
};
