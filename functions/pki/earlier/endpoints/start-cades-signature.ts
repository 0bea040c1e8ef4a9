import { CadesSignaturePostRequest } from '../contract.ts';
import { fittingCades, inlineCades, startCades } from '../domain/start-kinds.ts';
import { startOperation } from '../operations.ts';

export const handler = startOperation('POST /Api/CadesSignatures', {
  what: 'a CMS signature',
  body: CadesSignaturePostRequest,
  start: (caller, request, nowMs) => startCades(caller, inlineCades(fittingCades(request)), nowMs),
});
