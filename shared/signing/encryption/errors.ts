export type EncryptionRefusal =
  | 'password-empty'
  | 'salt-short'
  | 'too-large'
  | 'no-recipient'
  | 'recipient-key'
  | 'recipient-usage';

/** What was asked for cannot be encrypted in this way; `reason` says why in one word. */
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
 * The envelope does not open. One reason stands for a wrong key and for changed bytes: telling them apart would
 * help whoever changes bytes and watches.
 */
export class DecryptionFailed extends Error {
  override readonly name = 'DecryptionFailed';
  readonly reason: DecryptionFailure;

  constructor(reason: DecryptionFailure, message: string) {
    super(message);
    this.reason = reason;
  }
}
