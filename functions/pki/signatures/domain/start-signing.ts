import type { Caller } from '../../../../shared/access/caller.ts';
import { isValid } from '../../../../shared/pki/findings/validation-results.ts';
import type { SignatureFormat } from '../../../../shared/signing/format-of.ts';
import type { SignatureOptions } from '../../../../shared/signing/two-step/options.ts';
import { prepareSignature } from '../../../../shared/signing/two-step/two-step.ts';
import { type VisualRepresentation, visibleOf } from '../../../../shared/signing/visual/representation.ts';
import { type JudgedCertificate, judgeSigner, readCertificate } from '../../domain/certificate-proof.ts';
import { PKI_BRAZIL, securityContext } from '../../domain/security-contexts.ts';
import type { ReceivedFile } from '../../files/domain/receive-file.ts';
import { type SigningKind, storeStarted } from './started.ts';

export type SigningRequest = {
  readonly kind: SigningKind;
  readonly format: SignatureFormat;
  /** Undefined for a signature by hash. */
  readonly file: ReceivedFile | undefined;
  /** Whether the file is a CMS that the signature is added to. */
  readonly isCoSigned: boolean;
  readonly certificate: string;
  readonly securityContextId?: string | null | undefined;
  readonly ignoreRevocationStatusUnknown?: boolean | null | undefined;
  readonly options: SignatureOptions;
  /** The look of a PDF's signature. */
  readonly visual?: VisualRepresentation | undefined;
  /** Whether the second step puts a timestamp over the signature. */
  readonly isTimestamped?: boolean;
  readonly documentKey?: string | null | undefined;
  readonly callbackArgument?: string | null | undefined;
};

// What the file was found to be, where nobody named its type.
const TYPES: Readonly<Record<SignatureFormat, string>> = {
  PAdES: 'application/pdf',
  XAdES: 'application/xml',
  CAdES: 'application/octet-stream',
};

export type SigningOutcome = JudgedCertificate & {
  /** Undefined where the certificate may not sign. */
  readonly started?: { readonly state: string; readonly toSign: Buffer };
};

/** The first step: judges the certificate, and prepares what its key signs. Throws the errors of prepareSignature. */
export async function startSigning(
  caller: Caller,
  request: SigningRequest,
  nowMs: number,
): Promise<SigningOutcome> {
  const { kind, format, file, isCoSigned, isTimestamped = false, options, visual } = request;
  const certificate = readCertificate(request.certificate);
  const context = securityContext(request.securityContextId || PKI_BRAZIL);
  const ignoreRevocationStatusUnknown = request.ignoreRevocationStatusUnknown ?? false;
  const { chain, ...judged } = await judgeSigner(
    context,
    certificate,
    { ignoreRevocationStatusUnknown },
    nowMs,
  );
  if (!isValid(judged.validationResults)) return judged;
  const bytes = file?.bytes ?? Buffer.alloc(0);
  const { record, toSign } = await prepareSignature(format, {
    file: {
      read: async () => bytes,
      async *stream() {
        yield bytes;
      },
      isSigned: isCoSigned,
    },
    ...{ certificate, chain, signingTimeMs: nowMs, isTimestamped, othersFollow: false, options },
    visible: visual && visibleOf(visual, { certificate, signingTimeMs: nowMs }),
  });
  const state = await storeStarted(
    caller,
    {
      ...{ kind, record, isCoSigned, visual },
      file: file ? { ...file, contentType: file.contentType || TYPES[format] } : null,
      documentKey: request.documentKey || null,
      callbackArgument: request.callbackArgument ?? null,
    },
    nowMs,
  );
  return { ...judged, started: { state, toSign } };
}
