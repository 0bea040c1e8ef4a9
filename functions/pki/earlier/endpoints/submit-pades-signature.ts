import { SignedPdfModel } from '../contract.ts';
import { signedBytesOperation } from '../operations.ts';

export const handler = signedBytesOperation('POST /Api/PadesSignatures/{token}/SignedBytes', {
  kind: 'PadesSignature',
  field: 'signedPdf',
  model: SignedPdfModel,
});
