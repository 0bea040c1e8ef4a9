import type * as z from 'zod';
import {
  errorFinding,
  type Finding,
  passedFinding,
  resultsOf,
  warningFinding,
} from '../../../../shared/pki/findings/validation-results.ts';
import type { VerificationReport } from '../../../../shared/signing/verification/report.ts';
import { maskCpf, parseCpf } from '../../../../shared/taxpayer/cpf.ts';
import type { SignerModel } from '../../contract/signing/signers.ts';
import { isoDate } from '../calendar.ts';
import type { Document } from '../document/document.ts';
import {
  chainProblemOf,
  ELECTRONIC_SIGNATURE_TYPE,
  type Evidence,
  evidencesOf,
  readEvidence,
} from '../document/evidence.ts';
import { evidenceInField } from '../document/seal-field.ts';
import type { Completion } from '../flow/flow.ts';
import { shownId } from '../guids.ts';
import { renderResults } from '../signing/signer-certificate.ts';

type Signer = z.input<typeof SignerModel>;

/** On the signed file; undefined where there is none, null where it is too large to be looked at. */
type FileReport = VerificationReport | null | undefined;

/** The people who signed a document electronically, judged by the evidences and by the seal of the file. */
export async function electronicSigners(
  document: Document,
  report: FileReport,
  isMasked: boolean,
): Promise<Signer[]> {
  const done = document.flow
    .flatMap(({ completions }) => completions)
    .filter(({ evidence }) => evidence !== undefined)
    .toSorted((a, b) => a.atMs - b.atMs);
  if (done.length === 0) return [];
  const chain = await evidencesOf(document);
  const findings = [chainFinding(document, chain), sealFinding(document, report)];
  return done.map((completion) => renderElectronic(completion, { chain, findings, isMasked }));
}

function chainFinding(document: Document, chain: readonly Evidence[]): Finding {
  const problem = chainProblemOf(document, chain);
  return problem === undefined
    ? passedFinding('The evidences are those that were recorded, each with the hash of the one before it.')
    : errorFinding('MessageDigestMismatch', `The evidences are not those that were recorded: ${problem}`);
}

/** The seal holds the hash of the last evidence, so that the evidences and the file vouch for each other. */
function sealFinding({ state, evidence }: Document, report: FileReport): Finding {
  if (state !== 'Concluded')
    return warningFinding('UncertifiedDateReference', 'The file is sealed when everybody has signed it.');
  if (report === null)
    return warningFinding(
      'UncertifiedDateReference',
      'The file is too large for its seal to be judged here.',
    );
  const seal = report?.signatures.find(({ fieldName }) => evidenceInField(fieldName) === evidence?.sha256);
  if (!seal) return errorFinding('MessageDigestMismatch', 'The file has no seal over these evidences.');
  const isIntact = seal.intact === true && report?.coverage.isComplete === true;
  if (!isIntact) return errorFinding('MessageDigestMismatch', 'The file was changed after it was sealed.');
  return seal.outcome === 'valid'
    ? passedFinding('The file is as the organization has sealed it, over these evidences.')
    : warningFinding(
        'CertificateRevocationStatusUnknown',
        'The certificate of the seal is not known to be valid.',
      );
}

type Context = {
  readonly chain: readonly Evidence[];
  readonly findings: readonly Finding[];
  readonly isMasked: boolean;
};

function renderElectronic(
  { by, atMs, evidence }: Completion,
  { chain, findings, isMasked }: Context,
): Signer {
  const results = resultsOf(findings);
  const isValid = results.errors.length === 0;
  const found = chain.find(({ sha256 }) => sha256 === evidence?.sha256);
  const cpf = by.identifier === null ? undefined : parseCpf(by.identifier);
  return {
    subjectName: by.name,
    emailAddress: isMasked ? null : by.emailAddress,
    issuerName: null,
    identifier: isMasked ? (cpf ? maskCpf(cpf) : null) : by.identifier,
    companyName: null,
    companyIdentifier: null,
    isElectronic: true,
    signatureType: ELECTRONIC_SIGNATURE_TYPE,
    isTimestamp: false,
    isSeal: false,
    signingTime: isoDate(atMs),
    certificateThumbprint: null,
    validityStart: null,
    validityEnd: null,
    evidences: isMasked || !found ? null : renderEvidences(found),
    attributeCertificates: [],
    signatureTimestamps: [],
    archiveTimestamps: [],
    outcome: !isValid ? 'invalid' : results.warnings.length > 0 ? 'undetermined' : 'valid',
    validationResults: { ...renderResults(results), isValid },
  };
}

const SHOWN_DIGITS = 4;

function renderEvidences(evidence: Evidence): NonNullable<Signer['evidences']> {
  const facts = readEvidence(evidence);
  const { authenticatedPhoneNumber: phone, authenticatedApplication: application } = facts;
  return {
    ipAddress: facts.ipAddress,
    userAgent: facts.userAgent,
    authenticationTypes: [...facts.authenticationTypes],
    accountVerifiedEmail: null,
    authenticatedEmail: facts.authenticatedEmail,
    authenticatedPhoneNumber: phone,
    authenticatedPhoneNumberLastDigits: phone?.replace(/\D/g, '').slice(-SHOWN_DIGITS) ?? null,
    authenticatedApplication: application && { id: shownId('application', application.name), ...application },
    authenticatedSelfie: null,
    authenticatedPix: null,
    livenessData: facts.livenessSessionId === null ? null : { sessionId: facts.livenessSessionId },
    geolocation: facts.geolocation,
    timestamp: facts.timestamp,
    signatureType: facts.signatureType,
    evidencesSha256: Buffer.from(evidence.sha256, 'hex').toString('base64'),
    file: Buffer.from(evidence.text).toString('base64'),
    fileTicket: null,
  };
}
