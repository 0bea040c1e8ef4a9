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
  | 'no-place-left'
  | 'image-unreadable'
  | 'marks-too-large';

/** This PDF cannot be signed or judged. `reason` is for programs, the message for people. */
export class PdfRefused extends Error {
  override readonly name = 'PdfRefused';
  readonly reason: PdfRefusal;
  /** The message without the advice, which is for signing only: saving a signed file again breaks its signatures. */
  readonly what: string;

  constructor(reason: PdfRefusal, what: string, advice?: string) {
    super(advice ? `${what} ${advice}` : what);
    this.reason = reason;
    this.what = what;
  }
}

/** Whether the budget refused the file. Code that skips unreadable parts must stop here: the rest is unknown. */
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
