/** Why a file does not give a key: each is told to the person in words of its own. */
export type Reason = 'wrongPassword' | 'unreadable' | 'tooLarge' | 'unsupported' | 'noKey' | 'noCertificate';

export class Pkcs12Refused extends Error {
  override readonly name = 'Pkcs12Refused';
  readonly reason: Reason;
  constructor(reason: Reason, options?: ErrorOptions) {
    super(reason, options);
    this.reason = reason;
  }
}
