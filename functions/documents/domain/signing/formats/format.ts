import type { Certificate } from '../../../../../shared/pki/certificate.ts';
import type { Stamp } from '../../../../../shared/signing/cms/stamp.ts';
import type { Document, SignatureFormat } from '../../document.ts';
import type { Mark } from '../../flow/flow.ts';

/** What is signed, and by whom. The same is given to both steps. */
export type Subject = {
  readonly document: Pick<Document, 'original' | 'signed' | 'flow'>;
  readonly certificate: Certificate;
  /** The issuer first, upwards. */
  readonly chain: readonly Certificate[];
  readonly signingTimeMs: number;
  /** Where the signature is shown, in a format that shows any. */
  readonly mark: Mark | null;
  readonly isTimestamped: boolean;
};

/** `hash` is the SHA-256 of `toSign`. The state is small JSON, kept until the signature comes. */
export type Prepared<State> = { readonly hash: Buffer; readonly toSign: Buffer; readonly state: State };

/** A signature whose value the format has been given. */
export type Given<State> = {
  readonly state: State;
  readonly hash: Buffer;
  readonly signature: Buffer;
  readonly stamp: Stamp | undefined;
};

/** How one format is signed in two steps. */
export type Format<State> = {
  readonly prepare: (subject: Subject) => Promise<Prepared<State>>;
  /** The whole signed file. Refuses with SignatureMismatch before its first byte. */
  readonly complete: (
    subject: Subject,
    given: Given<State>,
  ) => Promise<Uint8Array | AsyncIterable<Uint8Array>>;
};

/** What was prepared cannot be made again as it was: the signature has to be started again. */
export class PreparedOtherwise extends Error {
  override readonly name = 'PreparedOtherwise';
}

// Each with its own parser, which a function that meets only the others never loads.
const LOADERS: Readonly<Record<SignatureFormat, () => Promise<Format<unknown>>>> = {
  PAdES: async () => (await import('./pades.ts')).pades as Format<unknown>,
  CAdES: async () => (await import('./cades.ts')).cades as Format<unknown>,
  XAdES: async () => (await import('./xades.ts')).xades as Format<unknown>,
};

/** @example const { prepare } = await formatBy(document.format); */
export const formatBy = (format: SignatureFormat): Promise<Format<unknown>> => LOADERS[format]();
