import type * as z from 'zod';
import type { Caller } from '../../../../shared/access/caller.ts';
import { findUnusedKey } from '../../documents/domain/document-keys.ts';
import { toSign } from '../../domain/to-sign.ts';
import { errors } from '../../errors.ts';
import type { PrepareSignatureRequest } from '../contract.ts';
import { fileProblemOf, refuseUnsignable } from './refusals.ts';
import { signingTaskOf } from './signature-options.ts';
import { type SigningOutcome, startSigning } from './start-signing.ts';

type Request = z.output<typeof PrepareSignatureRequest>;

/** The first step. A certificate that may not sign and a PDF that cannot be signed are answers. */
export async function prepareSignature(caller: Caller, request: Request, nowMs: number) {
  const certificate = certificateOf(request);
  if (request.documentKey) await findUnusedKey(caller, request.documentKey);
  const task = await signingTaskOf(caller, request, nowMs);
  const { securityContextId, documentKey } = request;
  let outcome: SigningOutcome;
  try {
    outcome = await startSigning(
      caller,
      { ...task, kind: 'Signature', certificate, securityContextId, documentKey },
      nowMs,
    );
  } catch (error) {
    const failure = task.format === 'PAdES' ? PDF_FAILURES[fileProblemOf(error).reason] : undefined;
    if (!failure) refuseUnsignable(task.format, error);
    return { ...NOT_STARTED, failure, certificate: null, validationResults: null };
  }
  const { started, ...judged } = outcome;
  if (!started) return { ...NOT_STARTED, failure: 'CertificateValidationFailed', ...judged } as const;
  return { success: true, failure: null, state: started.state, ...toSign(started.toSign), ...judged };
}

const NOT_STARTED = { success: false, state: null, toSign: null, toSignHash: null } as const;

const PDF_FAILURES: Readonly<Record<string, 'PdfAlreadySigned' | 'CorruptedPdf'>> = {
  'already-signed': 'PdfAlreadySigned',
  // An earlier signature certified the PDF, and allows no other.
  'no-changes-allowed': 'PdfAlreadySigned',
  'not-a-pdf': 'CorruptedPdf',
  broken: 'CorruptedPdf',
  'too-complex': 'CorruptedPdf',
};

function certificateOf({ certificate: { id, content } }: Request): string {
  if (content) return content;
  if (id) throw errors.refuse('OptionNotSupported', { option: 'certificate.id' });
  throw errors.refuse('InvalidRequest', undefined, {
    fields: [{ field: 'certificate.content', message: 'is required' }],
  });
}
