import type * as z from 'zod';
import type { Caller } from '../../../../shared/access/caller.ts';
import { readFile } from '../../../../shared/files/stored-file.ts';
import type {
  SignatureModel,
  TimestampModel,
  VerificationReport,
} from '../../../../shared/signing/verification/report.ts';
import { inMemory } from '../../../../shared/signing/verification/verify-file.ts';
import type { SignaturesInfo, SignerModel } from '../../contract/signing/signers.ts';
import { errors } from '../../errors.ts';
import { settings } from '../../settings.ts';
import { isoDate } from '../calendar.ts';
import { type Document, findDocument, stateAt } from '../document/document.ts';
import { shownAuthor } from '../document/notifications.ts';
import { evidenceInField } from '../document/seal-field.ts';
import { findByCode } from '../document/verification-code.ts';
import { contentName, isAvailable } from '../downloads/content-types.ts';
import { isInScope } from '../places/organization.ts';
import { renderResults } from '../signing/signer-certificate.ts';
import { requireReceivedUpload } from '../uploads/take-or-collect.ts';
import { fileOf, uploads } from '../uploads/upload.ts';
import { electronicSigners } from './electronic-signers.ts';
import { orNotAvailable } from './verify-by-code.ts';
import { verifyFiles } from './verify-files.ts';

type Signer = z.input<typeof SignerModel>;
type Info = z.input<typeof SignaturesInfo>;

/** Who signed a document and whether it is valid, for an application: in any status, nothing masked. */
export async function readSignatures(caller: Caller, id: string, nowMs: number): Promise<Info> {
  const document = await findDocument(caller, id);
  const signers = await signersOf(document, nowMs, false);
  return { ...infoOf(document, signers, nowMs), createdBy: shownAuthor(document.createdBy) };
}

/** The same for whoever has the code of a document: as far as its signed file is given out, with CPFs masked. */
export async function readSignaturesByCode(typed: string, nowMs: number): Promise<Info> {
  const { document } = await findByCode(typed);
  // Electronic signatures are in no file before the document is sealed.
  const isShown = isAvailable('SignaturesManifest', document, nowMs);
  return infoOf(document, isShown ? await signersOf(document, nowMs, true) : [], nowMs);
}

/** The signatures of an upload, which no document has taken. It stays as it is. */
export async function validateSignatures(caller: Caller, fileId: string, nowMs: number): Promise<Signer[]> {
  const found = await uploads.get(fileId);
  if (!found || !isInScope(caller, found.organizationId))
    throw errors.refuse('UploadNotFound', { uploadId: fileId });
  const upload = await requireReceivedUpload(fileId, found.organizationId);
  requireVerifiable(upload.size);
  const bytes = await readFile('documents', { key: fileOf(upload), size: upload.size });
  const file = inMemory(bytes, upload.name ?? undefined);
  return renderSigners(await verifyFiles({ file, content: undefined, covers: [] }, nowMs, false));
}

async function signersOf(document: Document, nowMs: number, isMasked: boolean): Promise<Signer[]> {
  const report = await reportOf(document, nowMs, isMasked);
  return [
    ...(await electronicSigners(document, report, isMasked)),
    ...(report ? renderSigners(report, isMasked ? undefined : document) : []),
  ];
}

/** The report on the signed file, where there is one. */
async function reportOf(
  document: Document,
  nowMs: number,
  isMasked: boolean,
): Promise<VerificationReport | undefined> {
  const { signed } = document;
  if (!signed) return undefined;
  requireVerifiable(signed.size);
  const bytes = await orNotAvailable(document, readFile('documents', signed));
  const file = inMemory(bytes, contentName('Signatures', document));
  return verifyFiles({ file, content: undefined, covers: [] }, nowMs, isMasked);
}

/** Nobody is to read of a file without signatures where it was only too large to look at. */
function requireVerifiable(actualBytes: number): void {
  const limitBytes = settings['Verification:MaxFileBytes'];
  if (actualBytes > limitBytes)
    throw errors.refuse('FileNotVerifiable', {
      reason: 'too-large',
      message: `The file is larger than Verification:MaxFileBytes: ${actualBytes} bytes, and the limit is ${limitBytes}.`,
    });
}

const infoOf = (document: Document, signers: Signer[], nowMs: number): Info => ({
  id: document.id,
  key: document.code,
  name: document.name,
  filename: document.original.name,
  mimeType: document.original.contentType,
  createdBy: null,
  status: stateAt(document, nowMs),
  isConcluded: document.state === 'Concluded',
  isFile: true,
  isEnvelope: document.parts !== undefined,
  creationDate: isoDate(document.createdAtMs),
  updateDate: isoDate(document.updatedAtMs),
  type: null,
  signatureType: 'None',
  securityContext: null,
  signers,
});

const renderSigners = ({ signatures }: VerificationReport, document?: Document): Signer[] =>
  signatures.map((signature) => renderSigner(signature, document));

function renderSigner(signature: SignatureModel, document: Document | undefined): Signer {
  const { signer, outcome, validationResults, kind } = signature;
  const isCompany = signer?.pkiBrazil.cnpj != null;
  return {
    subjectName: (isCompany && signer?.pkiBrazil.responsavel) || (signer?.subjectDisplayName ?? null),
    emailAddress: addressIn(document, signer?.thumbprintSHA256) ?? signer?.emailAddress ?? null,
    issuerName: signer?.issuerDisplayName ?? null,
    identifier: signer?.pkiBrazil.cpf ?? (isCompany ? null : (signer?.subjectIdentifier ?? null)),
    companyName: signer?.pkiBrazil.companyName ?? signer?.organization ?? null,
    companyIdentifier: signer?.pkiBrazil.cnpj ?? signer?.organizationIdentifier ?? null,
    isElectronic: false,
    signatureType: null,
    isTimestamp: kind === 'document-timestamp',
    isSeal: evidenceInField(signature.fieldName) !== undefined,
    signingTime: signature.provenTime ?? signature.claimedTime,
    certificateThumbprint: signer?.binaryThumbprintSHA256 ?? null,
    validityStart: signer?.validityStart ?? null,
    validityEnd: signer?.validityEnd ?? null,
    evidences: null,
    attributeCertificates: [],
    signatureTimestamps: signature.timestamps.map(renderTimestamp),
    archiveTimestamps: signature.archiveTimestamps.map(renderTimestamp),
    outcome,
    // A signature is valid by the conclusion on it, which may know more than the checks of its certificate.
    validationResults: { ...renderResults(validationResults), isValid: outcome === 'valid' },
  };
}

/** The address that the flow knows of whoever signed with this certificate. */
const addressIn = (document: Document | undefined, thumbprint: string | undefined): string | null =>
  document?.flow
    .flatMap(({ completions }) => completions)
    .find(({ certificate }) => certificate?.sha256 === thumbprint?.toLowerCase())?.by.emailAddress ?? null;

const renderTimestamp = ({ time, authority }: TimestampModel) => ({
  displayName: authority?.subjectDisplayName ?? null,
  genTime: time,
  validityStart: authority?.validityStart ?? null,
  validityEnd: authority?.validityEnd ?? null,
});
