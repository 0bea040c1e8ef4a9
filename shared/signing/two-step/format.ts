import type { Certificate } from '../../pki/certificate/certificate.ts';
import type { Stamp } from '../cms/stamp.ts';
import type { SignatureFormat } from '../format-of.ts';
import type { Visible } from '../pades/signed-field.ts';

/** The file that gets one more signature, as its service keeps it. */
export type SignableFile = {
  /** Whole, in memory. */
  readonly read: () => Promise<Buffer>;
  /** As it comes, from its beginning every time. Nothing is opened before it is asked for. */
  readonly stream: () => AsyncIterable<Uint8Array>;
  /** Whether it holds signatures already: of CAdES it is then the signature, with the content inside. */
  readonly isSigned: boolean;
};

/** What is signed, and by whom. The same is given to both steps. */
export type SignatureInput = {
  readonly file: SignableFile;
  readonly certificate: Certificate;
  /** The issuer first, upwards. */
  readonly chain: readonly Certificate[];
  readonly signingTimeMs: number;
  /** How the signature is shown, in a format that shows any. */
  readonly visible?: Visible | undefined;
  readonly isTimestamped: boolean;
  /** Whether others sign the same file later: XML leaves room for them. */
  readonly othersFollow: boolean;
};

/** `hash` is the SHA-256 of `toSign`. The state is small JSON, kept until the signature comes. */
export type Prepared<State> = { readonly hash: Buffer; readonly toSign: Buffer; readonly state: State };

/** A signature whose value the format has been given. */
export type Given<State> = {
  readonly state: State;
  readonly hash: Buffer;
  readonly signature: Buffer;
  readonly stamp?: Stamp | undefined;
};

/** How one format is signed in two steps, the key being somewhere else. */
export type Format<State> = {
  readonly prepare: (subject: SignatureInput) => Promise<Prepared<State>>;
  /** The whole signed file. Refuses with SignatureMismatch before its first byte. */
  readonly complete: (
    subject: SignatureInput,
    given: Given<State>,
  ) => Promise<Uint8Array | AsyncIterable<Uint8Array>>;
};

/** What was prepared cannot be made again as it was: the signature has to be started again. */
export class PreparationMismatch extends Error {
  override readonly name = 'PreparedOtherwise';
}

// Each with its own parser, which a function that meets only the others never loads.
const LOADERS: Readonly<Record<SignatureFormat, () => Promise<Format<unknown>>>> = {
  PAdES: async () => (await import('./pades.ts')).pades as Format<unknown>,
  CAdES: async () => (await import('./cades.ts')).cades as Format<unknown>,
  XAdES: async () => (await import('./xades.ts')).xades as Format<unknown>,
};

/**
 * The two steps of a format: prepare gives the hash for a key elsewhere, complete the signed file.
 * @example const { hash, state } = await (await formatBy(document.format)).prepare(subject);
 */
export const loadFormat = (format: SignatureFormat): Promise<Format<unknown>> => LOADERS[format]();
