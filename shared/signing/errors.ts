/** The certificate's key did not make this signature over these bytes. No file was written. */
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

/** The request cannot or must not be signed; `reason` is the code. */
export class SigningRefused extends Error {
  override readonly name = 'SigningRefused';
  readonly reason: SigningRefusal;

  constructor(reason: SigningRefusal, message: string) {
    super(message);
    this.reason = reason;
  }
}

/** The bytes are not a CMS structure of the expected kind. */
export class CmsMalformed extends Error {
  override readonly name = 'CmsMalformed';
}

/** A CMS structure of another type than SignedData. */
export class NotSignedData extends CmsMalformed {
  readonly contentType: string;

  constructor(contentType: string) {
    super(`This is no SignedData: its type is ${contentType}.`);
    this.contentType = contentType;
  }
}

/** The content differs from the measured content, or from the content that an earlier signer signed. */
export class ContentMismatch extends Error {
  override readonly name = 'ContentMismatch';
}
