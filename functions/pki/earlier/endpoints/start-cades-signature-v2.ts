import { CadesSignaturePostRequestV2 } from '../contract.ts';
import { inlineCades, startCades } from '../domain/start-kinds.ts';
import { startOperation } from '../operations.ts';

export const handler = startOperation('POST /Api/v2/CadesSignatures', {
  what: 'a CMS signature, also by hash',
  body: CadesSignaturePostRequestV2,
  start: (caller, request, nowMs) => startCades(caller, inlineCades(request), nowMs),
});
