import { SignedCmsModel } from '../contract.ts';
import { finalizeOperation } from '../operations.ts';

export const handler = finalizeOperation('POST /Api/CadesSignatures/{token}/Finalize', {
  kind: 'CadesSignature',
  field: 'cms',
  model: SignedCmsModel,
});
