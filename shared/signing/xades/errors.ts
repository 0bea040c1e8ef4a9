export type XmlRefusal =
  | 'malformed'
  | 'doctype'
  | 'encoding'
  | 'version'
  | 'too-complex'
  | 'relative-namespace'
  | 'element-not-found'
  | 'duplicate-id'
  | 'path-not-allowed'
  | 'outside-root'
  | 'inside-signature'
  | 'breaks-earlier-signature'
  | 'splits-text'
  | 'another-document';

/** The XML document cannot be signed or verified as requested; `reason` is the code. */
export class XmlRefused extends Error {
  override readonly name = 'XmlRefused';
  readonly reason: XmlRefusal;

  constructor(reason: XmlRefusal, message: string, options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
  }
}
