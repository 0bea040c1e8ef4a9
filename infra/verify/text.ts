import type { Certificate } from '../../shared/pki/certificate.ts';
import { icpBrasilIdentity } from '../../shared/pki/icp-brasil.ts';
import type { ValidationItem, ValidationResults } from '../../shared/pki/validation-results.ts';
import { called, calledName, moment } from '../../shared/pki/verdict-words.ts';
import type { TimestampReport } from '../../shared/signing/timestamp/verify.ts';
import { type Outcome, outcomeOf, type Shown, type ShownSignature } from './shown.ts';

const WIDTH = 13;

const OUTCOMES: Readonly<Record<Outcome, string>> = {
  valid: 'VALID',
  invalid: 'NOT VALID',
  undetermined: 'COULD NOT BE JUDGED',
};

/** A report as it is told: of which file, what it comes to, and whether any root was trusted. */
export type Told = {
  readonly file: string;
  readonly shown: Shown;
  readonly outcome: Outcome;
  readonly hasAnchors: boolean;
};

/** The report for a person. */
export function asText({ file, shown, outcome, hasAnchors }: Told): string {
  const { signatures, format, results } = shown;
  const count = `${signatures.length || 'no'} signature${signatures.length === 1 ? '' : 's'}`;
  const lines = [
    `${file}: ${OUTCOMES[outcome]}, ${format}, ${count}`,
    ...told(results),
    ...signatures.flatMap((signature, n) => [
      '',
      `${n + 1}. ${nameOf(signature)}: ${OUTCOMES[outcomeOf(signature, hasAnchors)]}`,
      ...signatureLines(signature),
    ]),
  ];
  return lines.map(printable).join('\n');
}

const nameOf = ({ certificate }: ShownSignature): string =>
  certificate ? called(certificate) : 'A signer without a certificate';

// Names come out of certificates that anyone can make: one must not move the cursor or turn the text around.
const printable = (line: string): string =>
  line.replace(/\p{Cc}|[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, '\ufffd');

const row = (label: string, value: string): string => `   ${label.padEnd(WIDTH)}${value}`;

function signatureLines(signature: ShownSignature): string[] {
  const { certificate, place, intact, covers, changes, policy, claimedTimeMs } = signature;
  return [
    ...(place ? [row('at', place)] : []),
    ...(certificate ? certificateLines(certificate, signature) : []),
    row('integrity', intact ? 'intact' : 'BROKEN'),
    ...covers.map((text) => row('covers', text)),
    ...(changes?.map((text) => row('after it', text)) ?? []),
    ...(claimedTimeMs === undefined ? [] : [row('signed', `${moment(claimedTimeMs)}, as the signer says`)]),
    ...signature.timestamps.map((timestamp) => row('timestamp', timestampText(timestamp))),
    ...(policy === undefined ? [] : [row('policy', policy.oid)]),
    ...told(signature.results),
  ];
}

function certificateLines(signer: Certificate, { verdict, judgedAtMs }: ShownSignature): string[] {
  const { cpf, cnpj } = icpBrasilIdentity(signer);
  return [
    ...(cnpj ? [row('CNPJ', cnpj)] : []),
    ...(cpf ? [row('CPF', cpf)] : []),
    row('issued by', calledName(signer.issuer)),
    row('certificate', verdict ? `${verdict.status} on ${moment(judgedAtMs)}` : 'not judged'),
  ];
}

function timestampText({ info, authority, valid }: TimestampReport): string {
  if (!info) return 'cannot be read';
  const by = authority ? ` by ${called(authority)}` : '';
  return `${moment(info.timeMs)}${by}${valid ? '' : ', which proves nothing'}`;
}

function told(results: ValidationResults | undefined): string[] {
  if (!results) return [];
  return [
    ...results.errors.flatMap((item) => itemLines('problem', item)),
    ...results.warnings.flatMap((item) => itemLines('note', item)),
  ];
}

// Below what failed stands what it rests on, a step further in.
function itemLines(label: string, item: ValidationItem, depth = 0): string[] {
  const inner = item.innerValidationResults;
  return [
    row(depth === 0 ? label : '', `${'  '.repeat(depth)}${item.message}`),
    ...(inner ? [...inner.errors, ...inner.warnings].flatMap((each) => itemLines('', each, depth + 1)) : []),
  ];
}
