import type * as z from 'zod';
import type { Caller } from '../../../../shared/access/caller.ts';
import { LOOKED_AT_BYTES } from '../../../../shared/signing/format.ts';
import { formatOf, type SignatureFormat } from '../../../../shared/signing/format-of.ts';
import type { SignatureOptions } from '../../../../shared/signing/two-step/options.ts';
import type { VisualRepresentation } from '../../../../shared/signing/visual/representation.ts';
import { findUnusedKey } from '../../documents/domain/document-keys.ts';
import { toSign } from '../../domain/to-sign.ts';
import { errors } from '../../errors.ts';
import { contentHashOf, hashOfContent } from '../../files/domain/content-hash.ts';
import { type ReceivedFile, receiveFile } from '../../files/domain/receive-file.ts';
import { receiveVisual } from '../../pdf/domain/visual.ts';
import type { PrepareSignatureRequest } from '../contract.ts';
import { isCmsSignature } from './existing-cms.ts';
import { fileProblemOf, refuseUnsignable } from './refusals.ts';
import { type SigningOutcome, startSigning } from './start-signing.ts';
import { asksForXml, xmlOptions } from './xml-options.ts';

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

type SigningTask = {
  readonly format: SignatureFormat;
  readonly file: ReceivedFile | undefined;
  readonly isCoSigned: boolean;
  readonly options: SignatureOptions;
  /** The look of a PDF's signature. */
  readonly visual?: VisualRepresentation | undefined;
};

const FORMATS = { Pdf: 'PAdES', Cms: 'CAdES', Xml: 'XAdES' } as const;

/** What a request asks to be signed, and how. */
async function signingTaskOf(caller: Caller, request: Request, nowMs: number): Promise<SigningTask> {
  const file = request.file ? await receiveFile(caller, request.file, nowMs) : undefined;
  const format = request.signatureType ? FORMATS[request.signatureType] : formatFor(request, file);
  refuseOtherOptions(request, format);
  if (format === 'CAdES') return cmsTask(caller, { ...request, file }, nowMs);
  if (!file) throw missingFile();
  const task = { format, file, isCoSigned: false };
  if (format === 'XAdES') return { ...task, options: { xades: xmlOptions(request.xmlSignatureOptions) } };
  const visual = await receiveVisual(caller, request.pdfSignatureOptions, nowMs);
  return { ...task, options: {}, visual };
}

/** The format that the options ask for, or else that of the file. */
function formatFor(request: Request, file: ReceivedFile | undefined): SignatureFormat {
  if (asksForCms(request) || !file) return 'CAdES';
  if (asksForXml(request.xmlSignatureOptions)) return 'XAdES';
  const firstBytes = file.bytes.subarray(0, LOOKED_AT_BYTES);
  return formatOf({ contentType: file.contentType, firstBytes, forceCades: false });
}

/** Refuses options of another format, which would change nothing. */
function refuseOtherOptions(request: Request, format: SignatureFormat): void {
  const look = request.pdfSignatureOptions?.visualRepresentation;
  const refuse = (option: string) => errors.refuse('OptionNotSupported', { option, format });
  if (look && format !== 'PAdES') throw refuse('pdfSignatureOptions.visualRepresentation');
  if (asksForCms(request) && format !== 'CAdES') throw refuse('cmsSignatureOptions');
  if (asksForXml(request.xmlSignatureOptions) && format !== 'XAdES') throw refuse('xmlSignatureOptions');
}

// Typed clients send the options of every format. At their defaults they ask for nothing.

const asksForCms = ({ cmsSignatureOptions: asked }: Request): boolean =>
  Boolean(asked?.detached || asked?.dataFile || asked?.dataHashes?.length);

type CmsRequest = Pick<Request, 'cmsSignatureOptions'> & { readonly file: ReceivedFile | undefined };

async function cmsTask(
  caller: Caller,
  { cmsSignatureOptions: asked, file }: CmsRequest,
  nowMs: number,
): Promise<SigningTask> {
  const { dataFile, dataHashes } = asked ?? {};
  const data = dataFile ? await receiveFile(caller, dataFile, nowMs) : undefined;
  const isCoSigned = file !== undefined && (await isCmsSignature(file.bytes));
  // The file is the content then, and cannot have another.
  const content = file && !isCoSigned ? file.bytes : undefined;
  if (data && content && !data.bytes.equals(content))
    throw errors.refuse('BadDigest', { file: 'is not the content of dataFile' });
  const named = dataHashes?.length ? contentHashOf(dataHashes, data?.bytes ?? content) : undefined;
  const given = data ? hashOfContent(data.bytes) : named;
  if (!file && given === undefined) throw missingFile();
  const contentHash = content ? undefined : given;
  const cades = { detached: asked?.detached ?? false, ...(contentHash !== undefined && { contentHash }) };
  return { format: 'CAdES', file, isCoSigned, options: { cades } };
}

const missingFile = () =>
  errors.refuse('InvalidRequest', undefined, { fields: [{ field: 'file', message: 'is required' }] });
