import { FileGone, readFile } from '../../../../shared/files/stored-file.ts';
import type { VerificationReport } from '../../../../shared/signing/verification/report.ts';
import { inMemory } from '../../../../shared/signing/verification/verify-file.ts';
import { settings } from '../../settings.ts';
import { isoDate } from '../calendar.ts';
import { type Document, stateAt } from '../document/document.ts';
import { findByCode, formatCode } from '../document/verification-code.ts';
import { contentName, contentNotAvailable, isAvailable } from '../downloads/content-types.ts';
import { type Content, openStored, storedContentOf } from '../downloads/stored-content.ts';
import { type FlowAction, kindOf } from '../flow/flow.ts';
import { publicBrandingOf } from '../places/branding.ts';
import { electronicSigners } from './electronic-signers.ts';
import { verifyFiles } from './verify-files.ts';

/**
 * What the holder of a code learns of its document: its name and state, how many of the signatures are made, and the
 * verdict of the verifier on the signed file as it is now, with those who signed electronically beside it. Nobody is named
 * who did not sign, and CPFs are masked.
 */
export async function verifyByCode(typed: string, nowMs: number) {
  const { document, location } = await findByCode(typed);
  const status = stateAt(document, nowMs);
  const signatures = document.flow.filter((action) => kindOf(action) === 'signature');
  const sum = (count: (action: FlowAction) => number): number =>
    signatures.reduce((total, action) => total + count(action), 0);
  const report = await reportOf(document, nowMs);
  return {
    code: formatCode(document.code),
    name: document.name,
    organizationName: location.organization?.name ?? null,
    branding: location.organization ? publicBrandingOf(location.organization) : null,
    status,
    creationDate: isoDate(document.createdAtMs),
    requiredSignatures: sum(({ required }) => required),
    completedSignatures: sum(({ completions }) => completions.length),
    hasSignedFile: isOffered(document, nowMs),
    electronicSigners: await electronicOf(document, report, nowMs),
    report,
  };
}

/** Those who signed electronically, as long as the document can be relied on. */
async function electronicOf(document: Document, report: VerificationReport | null, nowMs: number) {
  if (!isAvailable('SignaturesManifest', document, nowMs)) return [];
  const signers = await electronicSigners(document, document.signed ? report : undefined, true);
  return signers.map(
    ({ subjectName, identifier, signatureType, signingTime, outcome, validationResults }) => ({
      ...{ subjectName, identifier, signatureType, signingTime, outcome, validationResults },
    }),
  );
}

/** The signed file is given to the holder of a code only once nothing can be added to it. */
const isOffered = (document: Document, nowMs: number): boolean =>
  stateAt(document, nowMs) === 'Concluded' && isAvailable('Signatures', document, nowMs);

/** The report on the signed file; null where there is none to be relied on, or it is too large to be judged here. */
async function reportOf(document: Document, nowMs: number): Promise<VerificationReport | null> {
  const { signed } = document;
  if (!signed || !isAvailable('Signatures', document, nowMs)) return null;
  if (signed.size > settings['Verification:MaxFileBytes']) return null;
  const bytes = await orNotAvailable(document, readFile('documents', signed));
  const file = inMemory(bytes, contentName('Signatures', document));
  return verifyFiles({ file, content: undefined, covers: [] }, nowMs, true);
}

/** The signed file of a concluded document, for the holder of its code. */
export async function openByCode(typed: string, nowMs: number): Promise<Content> {
  const { document } = await findByCode(typed);
  const stored = isOffered(document, nowMs) ? storedContentOf('Signatures', document, nowMs) : undefined;
  if (!stored) throw contentNotAvailable('Signatures', document);
  return orNotAvailable(document, openStored(stored));
}

/** A new version of the document may have removed its file meanwhile. */
export const orNotAvailable = <T>(document: Document, reading: Promise<T>): Promise<T> =>
  reading.catch((error: unknown) => {
    throw error instanceof FileGone ? contentNotAvailable('Signatures', document) : error;
  });
