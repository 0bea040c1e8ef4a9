import { SignedPdfModel } from '../contract.ts';
import { finalizeOperation } from '../operations.ts';

export const handler = finalizeOperation('POST /Api/PadesSignatures/{token}/Finalize', {
  kind: 'PadesSignature',
  field: 'signedPdf',
  model: SignedPdfModel,
});
