import { signedBytesV2Operation } from '../operations.ts';

export const handler = signedBytesV2Operation(
  'POST /Api/v2/PadesSignatures/{token}/SignedBytes',
  'PadesSignature',
);
