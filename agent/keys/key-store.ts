import type { Certificate } from '../../shared/pki/certificate/certificate.ts';
import type { SigningDigest } from '../../shared/signing/digest.ts';

/** What is in a token or file, as far as it can be told without its PIN. */
export type Contents = {
  /** Which token or file it is: when this changes, its PIN is another one. */
  readonly source: string;
  /** Undefined where only the PIN tells. */
  readonly certificates: readonly Certificate[] | undefined;
  /** One more wrong PIN locks it. */
  readonly lastTry: boolean;
};

/** What came of presenting a PIN. */
export type Presented =
  | { readonly kind: 'accepted'; readonly certificates: readonly Certificate[] }
  | { readonly kind: 'rejected' }
  /** Too many wrong ones: only its issuer's code helps. */
  | { readonly kind: 'locked' }
  | { readonly kind: 'unusable'; readonly reason: string };

export type HashToSign = {
  readonly sha256: string;
  readonly digest: SigningDigest;
  readonly hash: Buffer;
};

/** The PIN in use is not the token's any more. */
export class PinRejected extends Error {
  override readonly name = 'PinRejected';
}

/** The key cannot be used, and no PIN helps. */
export class KeyUnusable extends Error {
  override readonly name = 'KeyUnusable';
}

/** Where the holder's keys are: a PKCS#11 token or a PKCS#12 file. */
export type KeyStore = {
  /** As people call it. */
  readonly name: string;
  /** Nothing when it is not there: the token is out, the file is gone. */
  look(): Promise<Contents | undefined>;
  /** Presents a PIN that the holder typed. No other PIN is ever given here. */
  present(pin: string): Promise<Presented>;
  /** Throws PinRejected or KeyUnusable. */
  sign(hash: HashToSign, pin: string): Promise<Buffer>;
  /** Drops whatever the PIN had opened. */
  lock(): void;
  close(): void;
};
