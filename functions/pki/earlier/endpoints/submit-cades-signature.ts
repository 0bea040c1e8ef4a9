import { SignedCmsModel } from '../contract.ts';
import { signedBytesOperation } from '../operations.ts';

export const handler = signedBytesOperation('POST /Api/CadesSignatures/{token}/SignedBytes', {
  kind: 'CadesSignature',
  field: 'cms',
  model: SignedCmsModel,
});
