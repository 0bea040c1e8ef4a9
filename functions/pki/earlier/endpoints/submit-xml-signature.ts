import { SignedXmlModel } from '../contract.ts';
import { signedBytesOperation } from '../operations.ts';

export const handler = signedBytesOperation('POST /Api/XmlSignatures/{token}/SignedBytes', {
  kind: 'XmlSignature',
  field: 'signedXml',
  model: SignedXmlModel,
});
