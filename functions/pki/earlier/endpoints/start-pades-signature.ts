import { PadesSignaturePostRequest } from '../contract.ts';
import { inline, startPades } from '../domain/start-kinds.ts';
import { startOperation } from '../operations.ts';

export const handler = startOperation('POST /Api/PadesSignatures', {
  what: 'a PDF signature',
  body: PadesSignaturePostRequest,
  start: (caller, request, nowMs) =>
    startPades(caller, { ...request, pdfToSign: inline(request.pdfToSign) }, nowMs),
});
