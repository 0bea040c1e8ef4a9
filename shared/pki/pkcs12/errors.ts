/** The file is whole, and another password opens it. */
export class WrongPassword extends Error {
  override readonly name = 'WrongPassword';
  constructor() {
    super('The password does not open this PKCS#12 file. Try again with the password it was exported with.');
  }
}

/** The bytes are no PKCS#12 file, or one that was damaged. No password opens it. */
export class BrokenPkcs12 extends Error {
  override readonly name = 'BrokenPkcs12';
  constructor(problem: string, options?: ErrorOptions) {
    super(`This is not a whole PKCS#12 file: ${problem} Export it again.`, options);
  }
}

/** Advice to a person, for each reason. */
const ADVICE = {
  algorithm: 'Export it again with AES-256 and SHA-256.',
  iterations: 'Export it again with fewer.',
  size: 'Export one key with its chain.',
  protection: 'Export it again, protected by a password.',
  key: 'Use an RSA or EC key.',
} as const;

/** The file may be whole, but it was made in a way that is not supported; `reason` says which. */
export class UnsupportedPkcs12 extends Error {
  override readonly name = 'UnsupportedPkcs12';
  readonly reason: keyof typeof ADVICE;
  constructor(reason: keyof typeof ADVICE, problem: string) {
    super(`This PKCS#12 file cannot be opened here: ${problem} ${ADVICE[reason]}`);
    this.reason = reason;
  }
}
