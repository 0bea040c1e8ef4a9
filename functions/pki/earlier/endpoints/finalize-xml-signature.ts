import { SignedXmlModel } from '../contract.ts';
import { finalizeOperation } from '../operations.ts';

export const handler = finalizeOperation('POST /Api/XmlSignatures/{token}/Finalize', {
  kind: 'XmlSignature',
  field: 'signedXml',
  model: SignedXmlModel,
});
