import type * as z from 'zod';
import type { Caller } from '../../../../shared/access/caller.ts';
import { unlessThrown } from '../../../../shared/errors/expected.ts';
import {
  errorFinding,
  resultsOf,
  type ValidationResults,
  warningFinding,
} from '../../../../shared/pki/findings/validation-results.ts';
import { verifySigners } from '../../../../shared/signing/cades/verify-signers.ts';
import type { Judge } from '../../../../shared/signing/cms/judge.ts';
import { decodePem } from '../../../../shared/signing/cms/pem.ts';
import { readSignedData } from '../../../../shared/signing/cms/read.ts';
import type { Digest } from '../../../../shared/signing/digest.ts';
import { hashOf } from '../../../../shared/signing/digest.ts';
import { CmsMalformed } from '../../../../shared/signing/errors.ts';
import type { SignatureFormat } from '../../../../shared/signing/format-of.ts';
import type { FoundFile } from '../../../../shared/signing/verification/found.ts';
import { VerificationRefused } from '../../../../shared/signing/verification/refused.ts';
import { createPart } from '../../../../shared/signing/verification/report-parts.ts';
import { findSignatures, inMemory } from '../../../../shared/signing/verification/verify-file.ts';
import { nameOf } from '../../domain/digest-names.ts';
import { errors } from '../../errors.ts';
import type { DigestRequest } from '../../files/contract.ts';
import { hashIn, isDigestOf, refuseOtherDigests } from '../../files/domain/content-hash.ts';
import { type ReceivedFile, receiveFile } from '../../files/domain/receive-file.ts';
import { signerModels } from './read-signers.ts';
import { judgeOf } from './trust.ts';

type File = Parameters<typeof receiveFile>[1];

export type InspectionRequest = {
  readonly format: SignatureFormat;
  readonly file: ReceivedFile;
  readonly validate?: boolean | null | undefined;
  readonly securityContextId?: string | null | undefined;
  readonly ignoreRevocationStatusUnknown?: boolean | null | undefined;
  readonly dataFile?: File | null | undefined;
  readonly dataHashes?: readonly z.output<typeof DigestRequest>[] | null | undefined;
};

export type CmsContent = {
  readonly type: string;
  readonly isEncapsulated: boolean;
  /** Undefined also where it is not the content that the request gave. */
  readonly bytes: Buffer | undefined;
};

export type Inspection = {
  readonly signers: Awaited<ReturnType<typeof signerModels>>;
  /** The digest that a detached CMS needs of its data, and was not given. */
  readonly missingDataHash: ReturnType<typeof nameOf>;
  /** In CMS alone. */
  readonly content: CmsContent | undefined;
};

const OTHER_CONTENT = resultsOf([
  errorFinding('MessageDigestMismatch', 'The signature holds other content than the content that was given.'),
]);

// Each costs a path and its revocation data.
const MAX_VALIDATED = 10;
// Covered parts in a message.
const MAX_NAMED = 3;

/** The signatures of a file, judged by a security context where the request asks for it. */
export async function inspect(
  caller: Caller,
  request: InspectionRequest,
  nowMs: number,
): Promise<Inspection> {
  const { format, file } = request;
  const judge = judgeOf(request);
  if (format === 'CAdES') return inspectCms(caller, request, judge, nowMs);
  const found = await findSignatures(format, inMemory(file.bytes), { judge, atMs: nowMs }).catch(
    (error: unknown) => refuse(format, error),
  );
  const results = format === 'XAdES' ? warnOfUncovered(found) : found.results;
  return {
    ...(await answerOf(request, { ...found, results }, file.bytes)),
    missingDataHash: null,
    content: undefined,
  };
}

async function inspectCms(
  caller: Caller,
  request: InspectionRequest,
  judge: Judge,
  nowMs: number,
): Promise<Inspection> {
  const bytes = Buffer.concat(await Array.fromAsync(decodePem(request.file.bytes)));
  const data = unlessThrown(CmsMalformed, () => readSignedData(bytes));
  if (!data) throw errors.refuse('InvalidCades');
  const outside = await dataDigests(caller, request, nowMs);
  const inside = data.content;
  const contentHash = (digest: Digest): Buffer | undefined =>
    outside(digest) ?? (inside && hashOf(digest, inside));
  // Content substitution: the caller's content must be the content that the signature holds.
  // Each of its hashes is compared, also one of an algorithm that no signer uses.
  const isOther =
    inside !== undefined &&
    (data.signers.some(({ digest }) => digest && outside(digest)?.equals(hashOf(digest, inside)) === false) ||
      !(request.dataHashes ?? []).every((digest) => isDigestOf(inside, digest)));
  const content = {
    type: data.split.contentType,
    isEncapsulated: inside !== undefined,
    bytes: isOther ? undefined : inside,
  };
  const missing = data.signers.find(({ digest }) => digest && !contentHash(digest))?.digest;
  if (missing) return { signers: [], missingDataHash: nameOf(missing), content };
  const reports = await verifySigners(data, { judge, atMs: nowMs, contentHash, contentStart: inside });
  const signatures = reports.map((report) => ({
    ...report,
    kind: 'signature' as const,
    covers: [createPart('content')],
  }));
  const found = { signatures, results: isOther ? OTHER_CONTENT : undefined };
  return { ...(await answerOf(request, found, bytes)), missingDataHash: null, content };
}

/** The digests of the content of a detached CMS, as the request gives it: its data, and hashes that must be of it. */
async function dataDigests(caller: Caller, { dataFile, dataHashes }: InspectionRequest, nowMs: number) {
  const data = dataFile ? await receiveFile(caller, dataFile, nowMs) : undefined;
  if (data && dataHashes) refuseOtherDigests(data.bytes, dataHashes);
  return (digest: Digest): Buffer | undefined => {
    if (data) return hashOf(digest, data.bytes);
    const given = dataHashes?.find(({ algorithm }) => algorithm === nameOf(digest));
    return given && hashIn(given);
  };
}

async function answerOf(
  { format, validate }: InspectionRequest,
  found: Pick<FoundFile, 'signatures' | 'results'>,
  bytes: Buffer,
): Promise<Pick<Inspection, 'signers'>> {
  const models = await signerModels(format, bytes, found.signatures);
  const signers = models.map((model, at) => {
    const results = found.signatures[at]?.results;
    return validate && results && at < MAX_VALIDATED
      ? { ...model, validationResults: merge(results, found.results) }
      : model;
  });
  return { signers };
}

/**
 * The findings on an XML document. Elements may be all that was to be signed, so that the rest of the document is a
 * warning. That nothing is covered stays an error.
 */
function warnOfUncovered({ coverage, results }: Pick<FoundFile, 'coverage' | 'results'>) {
  if (!results || coverage.covered.length === 0) return results;
  const only = coverage.covered.slice(0, MAX_NAMED).join(', ');
  const message = `Only part of the document is signed (${only}). Anyone may have written the rest.`;
  const warnings = coverage.isComplete ? [] : [warningFinding('XmlDSigCoreValidationFailed', message)];
  return resultsOf(warnings);
}

const merge = (own: ValidationResults, file: ValidationResults | undefined): ValidationResults => ({
  passedChecks: own.passedChecks,
  errors: [...own.errors, ...(file?.errors ?? [])],
  warnings: [...own.warnings, ...(file?.warnings ?? [])],
});

const CODES = { PAdES: 'InvalidPdf', XAdES: 'InvalidXml', CAdES: 'InvalidCades' } as const;

function refuse(format: SignatureFormat, error: unknown): never {
  if (!(error instanceof VerificationRefused)) throw error;
  const code = error.reason === 'encrypted' ? 'ProtectedPdfError' : CODES[format];
  throw errors.refuse(code, { reason: error.reason, explanation: error.message });
}
