// Apart from open-pkcs12.ts, which is a chunk that pages load late.

/** The reason why a PKCS#12 file gives no key. A page has a message for each. */
export type Reason = 'wrongPassword' | 'unreadable' | 'tooLarge' | 'unsupported' | 'noKey' | 'noCertificate';

export class Pkcs12Refused extends Error {
  override readonly name = 'Pkcs12Refused';
  readonly reason: Reason;
  constructor(reason: Reason, options?: ErrorOptions) {
    super(reason, options);
    this.reason = reason;
  }
}
