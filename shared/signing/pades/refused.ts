export type PdfRefusal =
  | 'not-a-pdf'
  | 'broken'
  | 'encrypted'
  | 'too-complex'
  | 'no-changes-allowed'
  | 'already-signed'
  | 'no-such-page'
  | 'no-such-field'
  | 'field-taken'
  | 'no-place'
  | 'image-unreadable';

/** This PDF cannot be signed or judged as asked; `reason` says why in one word, the message to a person. */
export class PdfRefused extends Error {
  override readonly name = 'PdfRefused';
  readonly reason: PdfRefusal;
  /** Without the advice, which is for whoever is about to sign: to save a signed file again breaks its signatures. */
  readonly what: string;

  constructor(reason: PdfRefusal, what: string, advice?: string) {
    super(advice ? `${what} ${advice}` : what);
    this.reason = reason;
    this.what = what;
  }
}

/** Nothing is known of what such a file holds: whoever goes on after a part that cannot be read stops here. */
export const isTooComplex = (error: unknown): boolean =>
  error instanceof PdfRefused && error.reason === 'too-complex';

export const tooComplex = (what: string): never => {
  throw new PdfRefused('too-complex', `The PDF is too complex. ${what}`, 'Print it to a new PDF and retry.');
};

/** For expressions: `value ?? broken('...')`. */
export const broken = (what: string): never => {
  throw new PdfRefused(
    'broken',
    `The PDF is broken: ${what}`,
    'Open it in an editor, save it again and retry.',
  );
};
