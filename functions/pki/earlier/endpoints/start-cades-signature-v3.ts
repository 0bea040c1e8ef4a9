import { CadesSignaturePostRequestV3 } from '../contract.ts';
import { startCades } from '../domain/start-kinds.ts';
import { startOperation } from '../operations.ts';

export const handler = startOperation('POST /Api/v3/CadesSignatures', {
  what: 'a CMS signature of any file',
  body: CadesSignaturePostRequestV3,
  start: startCades,
});
