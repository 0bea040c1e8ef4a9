export type EncryptionRefusal =
  | 'password-empty'
  | 'salt-short'
  | 'too-large'
  | 'no-recipient'
  | 'recipient-key'
  | 'recipient-usage';

/** The content cannot be encrypted as requested; `reason` is the code. */
export class EncryptionRefused extends Error {
  override readonly name = 'EncryptionRefused';
  readonly reason: EncryptionRefusal;

  constructor(reason: EncryptionRefusal, message: string) {
    super(message);
    this.reason = reason;
  }
}

export type DecryptionFailure = 'malformed' | 'not-for-this-key' | 'unsupported' | 'wrong-key-or-changed';

/**
 * The envelope does not open. Padding oracle: a wrong key and changed bytes share one reason, because the difference
 * would help an attacker who changes bytes and observes.
 */
export class DecryptionFailed extends Error {
  override readonly name = 'DecryptionFailed';
  readonly reason: DecryptionFailure;

  constructor(reason: DecryptionFailure, message: string) {
    super(message);
    this.reason = reason;
  }
}
