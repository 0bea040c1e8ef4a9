import { formatTime } from '../../shared/pki/findings/display.ts';
import type { ValidationItem, ValidationResults } from '../../shared/pki/findings/validation-results.ts';
import { mainCause, type Outcome, uncheckedCause } from '../../shared/signing/verification/reasons.ts';
import type {
  CountersignatureModel,
  SignatureModel,
  TimestampModel,
  VerificationReport,
} from '../../shared/signing/verification/report.ts';
import type { IcpBrasilStanding } from '../../shared/signing/verification/report-parts.ts';

const WIDTH = 13;

export const OUTCOME_WORDS: Readonly<Record<Outcome, string>> = {
  valid: 'VALID',
  invalid: 'NOT VALID',
  undetermined: 'COULD NOT BE JUDGED',
};

const STANDINGS: Readonly<Record<IcpBrasilStanding, string>> = {
  verified: 'yes, by a trusted root',
  claimed: 'claimed by the certificate, and no trusted root of it says so',
  no: 'no',
};

/** A file in one line, with the reason why it is not valid. @example summaryText(report) // 'a.pdf: VALID, PAdES, 2 signatures' */
export function summaryText(report: VerificationReport): string {
  const why = report.outcome === 'valid' ? undefined : whyNotValid(report);
  return printable(why === undefined ? headline(report) : `${headline(report)}. ${why}`);
}

function headline(report: VerificationReport): string {
  const { file, format, outcome, signatures } = report;
  const count = `${signatures.length || 'no'} signature${signatures.length === 1 ? '' : 's'}`;
  return [`${file}: ${OUTCOME_WORDS[outcome]}, ${format}, ${count}`, ...warningsBeside(report)].join('. ');
}

/** The notes on a valid file: whoever reads no further must know them. */
const warningsBeside = ({ outcome, validationResults }: VerificationReport): string[] =>
  outcome === 'valid' ? (validationResults?.warnings ?? []).map(({ message }) => `WARNING: ${message}`) : [];

/** The cause in the first signature that is as bad as the file, else in the file itself. */
function whyNotValid({ outcome, signatures, validationResults }: VerificationReport): string | undefined {
  const worst = signatures.find((one) => one.outcome === outcome);
  if (!worst) return validationResults ? mainCause(validationResults) : undefined;
  const cause = mainCause(worst.validationResults) ?? 'Nothing says why.';
  const isOpenAlone = outcome === 'undetermined' && worst.intact;
  return `${signatures.length > 1 ? `${nameOf(worst)}: ` : ''}${cause}${isOpenAlone ? ' The bytes are as signed.' : ''}`;
}

/** The whole report for a person. */
export function asText(report: VerificationReport): string {
  const lines = [
    headline(report),
    ...(report.outcome === 'valid' ? [] : itemsText(report.validationResults)),
    ...report.signatures.flatMap((signature, n) => [
      '',
      `${n + 1}. ${nameOf(signature)}: ${OUTCOME_WORDS[signature.outcome]}`,
      ...signatureLines(signature),
    ]),
  ];
  return lines.map(printable).join('\n');
}

const nameOf = ({ signer }: Pick<SignatureModel, 'signer'>): string =>
  signer ? (signer.subjectCommonName ?? signer.subjectName.dnString) : 'A signer without a certificate';

/** Terminal injection and bidi override: names come from certificates that anyone can make. */
export const printable = (line: string): string =>
  line.replace(/\p{Cc}|[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, '\ufffd');

const row = (label: string, value: string): string => `   ${label.padEnd(WIDTH)}${value}`;

const at = (time: string | null): string => (time === null ? 'no known time' : formatTime(Date.parse(time)));

function signatureLines(signature: SignatureModel): string[] {
  const { place, covers, changes, claimedTime, policy, verdict, reasons } = signature;
  return [
    ...(place ? [row('at', place)] : []),
    ...certificateLines(signature),
    row('integrity', integrityText(signature)),
    ...covers.map((text) => row('covers', text)),
    ...(changes?.map((text) => row('after it', text)) ?? []),
    ...(claimedTime === null ? [] : [row('signed', `${at(claimedTime)}, as the signer says`)]),
    ...signature.timestamps.map((one) => row('timestamp', timestampText(one))),
    ...signature.archiveTimestamps.map((one) => row('archived', timestampText(one))),
    ...signature.countersignatures.map((one) => row('counter', countersignatureText(one))),
    ...(policy === null ? [] : [row('policy', policy)]),
    ...(verdict === 'passed' ? [] : [row('verdict', `${verdict}: ${reasons.join(', ')}`)]),
    ...itemsText(signature.validationResults),
  ];
}

function certificateLines({ signer, certificateStatus, judgedAt, icpBrasil }: SignatureModel): string[] {
  if (!signer) return [];
  const { cpf, cnpj } = signer.pkiBrazil;
  return [
    ...(cnpj ? [row('CNPJ', cnpj)] : []),
    ...(cpf ? [row('CPF', cpf)] : []),
    row('issued by', signer.issuerDisplayName),
    row('ICP-Brasil', STANDINGS[icpBrasil]),
    row('certificate', certificateStatus ? `${certificateStatus} on ${at(judgedAt)}` : 'not judged'),
  ];
}

function integrityText({ intact, validationResults }: SignatureModel): string {
  if (intact === null) return `not checked: ${uncheckedCause(validationResults) ?? 'nothing says why.'}`;
  return intact ? 'intact' : 'BROKEN';
}

function timestampText({ time, authority, valid }: TimestampModel): string {
  if (time === null) return 'cannot be read';
  const by = authority ? ` by ${nameOf({ signer: authority })}` : '';
  return `${at(time)}${by}${valid ? '' : ', which proves nothing'}`;
}

const countersignatureText = (one: CountersignatureModel): string =>
  `signed by ${nameOf(one)}: ${OUTCOME_WORDS[one.outcome]}`;

function itemsText(results: ValidationResults | null): string[] {
  if (!results) return [];
  return [
    ...results.errors.flatMap((item) => itemLines('problem', item)),
    ...results.warnings.flatMap((item) => itemLines('note', item)),
  ];
}

// The causes of a failure stand below it, indented.
function itemLines(label: string, item: ValidationItem, depth = 0): string[] {
  const inner = item.innerValidationResults;
  return [
    row(depth === 0 ? label : '', `${'  '.repeat(depth)}${item.message}`),
    ...(inner ? [...inner.errors, ...inner.warnings].flatMap((each) => itemLines('', each, depth + 1)) : []),
  ];
}
