export const VERIFICATION_REFUSALS = [
  'empty',
  'not-a-signature',
  'bare-base64',
  'content-not-needed',
  'encrypted',
  'too-complex',
  'unsupported',
  'unreadable',
] as const;
export type VerificationRefusal = (typeof VERIFICATION_REFUSALS)[number];

/** The file's signatures cannot be verified; `reason` is the code, the message is for people. */
export class VerificationRefused extends Error {
  override readonly name = 'VerificationRefused';
  readonly reason: VerificationRefusal;

  constructor(reason: VerificationRefusal, message: string, options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
  }
}
