import type { ValidationItemType } from '../../../../../shared/pki/findings/validation-results.ts';
import type { CoveredPart } from '../../../../../shared/signing/verification/report-parts.ts';
import { element } from '../../../../../shared/ui/browser/element.ts';
import type { Language } from '../../../../../shared/ui/languages.ts';
import { reasonWords } from '../../../../../shared/ui/reason-words.ts';
import { formatTime } from '../../../../../shared/ui/time.ts';
import { evidenceInField } from '../../../domain/document/seal-field.ts';
import { formatCnpj, formatCpf } from '../../format.ts';
import {
  changeWords,
  closerWords,
  coveredWords,
  standingWords,
  statusWords,
} from '../../verification/meanings.ts';
import { type VerificationWords, verificationWords } from '../../verification/words.ts';
import type { ShownSignature, ShownTimestamp } from './report.ts';
import { facts, findings, icon, type Row } from './report-parts.ts';

/** One signature: signer, time, coverage and later changes, with all checks collapsed. */
export function signatureCard(signature: ShownSignature, language: Language): HTMLElement {
  const words = verificationWords(language);
  const { outcome } = signature;
  return element(
    'section',
    { className: `card signature ${outcome}` },
    element(
      'div',
      { className: 'heading' },
      element('h3', {}, titleOf(signature, words)),
      element('span', { className: 'outcome' }, icon(outcome), words[outcome]),
    ),
    outcome === 'valid' ? undefined : element('p', { className: 'why' }, whyText(signature, language)),
    evidenceInField(signature.fieldName) === undefined
      ? undefined
      : element('p', { className: 'faint' }, words.sealExplained),
    facts(mainRows(signature, language)),
    findings(signature.validationResults, language, words.details, facts(technicalRows(signature, language))),
  );
}

/** Why it is not valid: its reasons, in more precise words where the findings allow. */
function whyText(
  { reasons, intact, validationResults, changedParts }: ShownSignature,
  language: Language,
): string {
  const closer = closerWords(language);
  const isOverlaid = changedParts.some(({ kind }) => kind === 'overlay');
  const has = (types: readonly ValidationItemType[]): boolean =>
    validationResults.errors.some(({ type }) => types.includes(type));
  const texts = reasons.map((reason) => {
    // Incremental update: the signed bytes are intact, and the PDF was extended after them.
    if (reason === 'HASH_FAILURE' && intact) return closer.changedAfter;
    if (reason === 'FORMAT_FAILURE' && has(REARRANGED)) return closer.rearranged;
    if (reason === 'SIG_CONSTRAINTS_FAILURE' && isOverlaid) return closer.overlaid;
    return reason === 'SIG_CONSTRAINTS_FAILURE' && has(UNBOUND)
      ? closer.unbound
      : reasonWords(language)[reason];
  });
  return texts.join(' ');
}

// XML signature wrapping: content was put around a signature, or the signature was moved.
const REARRANGED: readonly ValidationItemType[] = ['XmlDSigCoreValidationFailed'];
// Plain CMS and plain XML Signature.
const UNBOUND: readonly ValidationItemType[] = [
  'SignatureVulnerableToSignerSubstitution',
  'RequiredSignedAttributeMissing',
];

function titleOf({ kind, signer, fieldName }: ShownSignature, words: VerificationWords): string {
  const name = signer?.subjectDisplayName ?? words.unnamed;
  if (evidenceInField(fieldName) !== undefined) return words.sealOf(name);
  if (kind === 'document-timestamp') return words.timestampBy(name);
  return kind === 'countersignature' ? words.countersignedBy(name) : name;
}

function mainRows(signature: ShownSignature, language: Language): Row[] {
  const words = verificationWords(language);
  const { signer, icpBrasil, certificateStatus, intact, changedParts, changes } = signature;
  const { cpf = null, cnpj = null } = signer?.pkiBrazil ?? {};
  const integrity = intact === null ? words.unchecked : intact ? words.intact : words.broken;
  return [
    ['CPF', cpf ? formatCpf(cpf) : undefined],
    ['CNPJ', cnpj ? formatCnpj(cnpj) : undefined],
    [words.signedAt, signedAt(signature, language)],
    [words.integrity, integrity],
    [words.covers, signature.coveredParts.map((part) => coveredText(part, language))],
    [words.after, changes === null ? undefined : afterwards(changedParts, language, words)],
    [words.certificate, signer ? statusWords(language)[certificateStatus ?? 'none'] : undefined],
    [words.issuedBy, signer?.issuerDisplayName],
    ['ICP-Brasil', signer ? standingWords(language)[icpBrasil] : undefined],
  ];
}

function afterwards(
  parts: ShownSignature['changedParts'],
  language: Language,
  { nothing, notAllowed }: VerificationWords,
): string[] {
  const texts = parts.map(({ kind, allowed }) => {
    const text = changeWords(language)[kind];
    return allowed ? text : `${notAllowed}: ${text}`;
  });
  return texts.length === 0 ? [nothing] : [...new Set(texts)];
}

const coveredText = ({ kind, path }: CoveredPart, language: Language): string =>
  coveredWords(language)[kind](path);

function signedAt(signature: ShownSignature, language: Language): string | undefined {
  const words = verificationWords(language);
  const { provenTime, claimedTime } = signature;
  if (provenTime) return words.proven(momentText(provenTime, language));
  return claimedTime ? words.claimed(momentText(claimedTime, language)) : undefined;
}

const momentText = (time: string, language: Language): string =>
  formatTime(language, Date.parse(time), { date: 'long', time: 'medium' });

function technicalRows(signature: ShownSignature, language: Language): Row[] {
  const words = verificationWords(language);
  const { signer, verdict, reasons } = signature;
  const stampText = ({ time, authority, valid }: ShownTimestamp): string =>
    [time ? momentText(time, language) : '?', authority?.subjectDisplayName, valid ? '' : words.invalid]
      .filter(Boolean)
      .join(' · ');
  return [
    [words.verdict, [verdict, ...reasons].join(' · ')],
    [words.place, signature.place ?? undefined],
    [words.timestamp, signature.timestamps.map(stampText)],
    [words.archived, signature.archiveTimestamps.map(stampText)],
    [
      words.countersigned,
      signature.countersignatures.map(
        (one) => `${one.signer?.subjectDisplayName ?? words.unnamed} · ${words[one.outcome]}`,
      ),
    ],
    [words.after, signature.changedParts.map(({ what }) => what)],
    [words.policy, signature.policy ?? undefined],
    [words.judgedAt, signature.judgedAt ? momentText(signature.judgedAt, language) : undefined],
    [words.chain, chainOf(signer)],
    [
      words.validity,
      signer
        ? `${momentText(signer.validityStart, language)} – ${momentText(signer.validityEnd, language)}`
        : undefined,
    ],
    [words.serial, signer ? hexOf(signer.serialNumber) : undefined],
    ['SHA-256', signer?.thumbprintSHA256],
  ];
}

/** A serial number as the windows of operating systems and openssl show it. */
function hexOf(serialNumber: string): string {
  const hex = BigInt(serialNumber).toString(16).toUpperCase();
  return hex.length % 2 ? `0${hex}` : hex;
}

function chainOf(signer: ShownSignature['signer']): string[] {
  const names: string[] = [];
  for (let one = signer; one; one = one.issuer) names.push(one.subjectDisplayName);
  return names;
}
