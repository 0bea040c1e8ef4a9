/** The signature is not this certificate's key's over these bytes: nothing was made with it. */
export class SignatureMismatch extends Error {
  override readonly name = 'SignatureMismatch';
}

export type SigningRefusal =
  | 'key-type'
  | 'key-size'
  | 'key-mismatch'
  | 'digest-not-allowed'
  | 'hash-length'
  | 'policy-malformed';

/** What was asked for cannot or must not be signed; `reason` says why in one word. */
export class SigningRefused extends Error {
  override readonly name = 'SigningRefused';
  readonly reason: SigningRefusal;

  constructor(reason: SigningRefusal, message: string) {
    super(message);
    this.reason = reason;
  }
}

/** These bytes are no CMS structure of the kind asked for. */
export class CmsMalformed extends Error {
  override readonly name = 'CmsMalformed';
}

/** A CMS structure of another type than SignedData: it carries no signature that can be seen. */
export class NotSignedData extends CmsMalformed {
  readonly contentType: string;

  constructor(contentType: string) {
    super(`This is no SignedData: its type is ${contentType}.`);
    this.contentType = contentType;
  }
}

/** The content that came is not the content that was announced, or that an earlier signer signed. */
export class ContentMismatch extends Error {
  override readonly name = 'ContentMismatch';
}
