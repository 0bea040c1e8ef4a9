export type PdfRefusal =
  | 'not-a-pdf'
  | 'broken'
  | 'encrypted'
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

  constructor(reason: PdfRefusal, message: string) {
    super(message);
    this.reason = reason;
  }
}

/** For expressions: `value ?? broken('...')`. */
export const broken = (what: string): never => {
  throw new PdfRefused('broken', `The PDF is broken: ${what} Open it in an editor, save it again and retry.`);
};
