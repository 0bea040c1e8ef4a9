import type { Certificate } from '../../pki/certificate/certificate.ts';
import type { Stamp } from '../cms/stamp.ts';
import type { Visible } from '../pades/signed-field.ts';
import type { SignatureOptions } from './options.ts';

/** The file to sign, as its service stores it. */
export type SignableFile = {
  /** The whole file, in memory. */
  readonly read: () => Promise<Buffer>;
  /** The file as a stream, from its start on every call. Opened at the first read. */
  readonly stream: () => AsyncIterable<Uint8Array>;
  /** Whether it has signatures already. A signed CAdES file is the signature, with the content inside. */
  readonly isSigned: boolean;
};

/** A file, a signer and the options of a signature. Both steps take the same input. */
export type SignatureInput = {
  readonly file: SignableFile;
  readonly certificate: Certificate;
  /** From the issuer upwards. */
  readonly chain: readonly Certificate[];
  readonly signingTimeMs: number;
  /** The visible appearance, in PAdES. */
  readonly visible?: Visible | undefined;
  readonly isTimestamped: boolean;
  /** Whether others sign the same file later: XAdES excludes their signatures from its own. */
  readonly othersFollow: boolean;
  /** The record keeps them for the second step. */
  readonly options?: SignatureOptions | undefined;
};

/** The first step's result. `hash` is the SHA-256 of `toSign`; `state` is small JSON for the second step. */
export type Prepared<State> = { readonly hash: Buffer; readonly toSign: Buffer; readonly state: State };

/** The input of the second step. */
export type SignatureValue<State> = {
  readonly state: State;
  readonly hash: Buffer;
  readonly signature: Buffer;
  readonly stamp?: Stamp | undefined;
};

/** The two steps of a format. The private key is elsewhere. */
export type Format<State> = {
  readonly prepare: (input: SignatureInput) => Promise<Prepared<State>>;
  /** The signed file. Throws SignatureMismatch before its first byte. */
  readonly complete: (
    input: SignatureInput,
    value: SignatureValue<State>,
  ) => Promise<Uint8Array | AsyncIterable<Uint8Array>>;
};

/** The second step cannot repeat the preparation of the first: the signature must start again. */
export class PreparationMismatch extends Error {
  override readonly name = 'PreparationMismatch';
}

/** A detached signature is over content that is elsewhere: give the content, or its SHA-256. */
export class ContentMissing extends Error {
  override readonly name = 'ContentMissing';
}
