import { PadesSignaturePostRequestV2 } from '../contract.ts';
import { startPades } from '../domain/start-kinds.ts';
import { startOperation } from '../operations.ts';

export const handler = startOperation('POST /Api/v2/PadesSignatures', {
  what: 'a PDF signature of any file',
  body: PadesSignaturePostRequestV2,
  start: startPades,
});
