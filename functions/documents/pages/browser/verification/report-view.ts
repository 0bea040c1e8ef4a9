import type { ChangeKind } from '../../../../../shared/signing/pades/verify/changes.ts';
import { element } from '../../../../../shared/ui/browser/element.ts';
import type { Language } from '../../../../../shared/ui/languages.ts';
import { reasonWords } from '../../../../../shared/ui/reason-words.ts';
import { formatTime } from '../../../../../shared/ui/time.ts';
import { verificationWords } from '../../verification/words.ts';
import type { ShownReport } from './report.ts';
import { findings, icon } from './report-parts.ts';
import { signatureCard } from './signature-card.ts';

/** The file that was checked, and when. */
type FileCheck = { readonly name: string; readonly sha256: string | undefined; readonly atMs: number };

/** A report for people: the outcome, and a card for each signature. */
export function reportView(report: ShownReport, check: FileCheck, language: Language): HTMLElement {
  const words = verificationWords(language);
  const { outcome, format, signatures, validationResults } = report;
  const facts = signatures.length === 0 ? format : `${format} · ${words.signatures(signatures.length)}`;
  const details = validationResults && findings(validationResults, language, words.fileDetails);
  return element(
    'article',
    { className: `result ${outcome}` },
    banner(check.name, {
      ...{ outcome, title: fileTitle(report, language), more: reasonsText(report, language) },
      facts: [facts, checkText(check, language), ...(check.sha256 ? [`SHA-256 ${check.sha256}`] : [])],
    }),
    ...signatures.map((one) => signatureCard(one, language)),
    details ? element('div', { className: 'card' }, details) : undefined,
  );
}

const checkText = ({ atMs }: FileCheck, language: Language): string =>
  verificationWords(language).checkedAt(formatTime(language, atMs, { date: 'long', time: 'medium' }));

/** The reasons against the file that neither its title nor its signatures show. */
function reasonsText(report: ShownReport, language: Language): string[] {
  const { reasons, signatures } = report;
  if (isPartly(report)) return [verificationWords(language).restOpen];
  const words = verificationWords(language);
  const notes = NOTES.filter(({ kind }) => isNoted(report, kind)).map(({ text }) => words[text]);
  if (notes.length) return notes;
  return reasons
    .filter((reason) => !signatures.some((one) => one.reasons.includes(reason)))
    .map((reason) => reasonWords(language)[reason]);
}

const isPartly = ({ coverage, signatures }: ShownReport): boolean =>
  !coverage.isComplete && signatures.length > 0 && signatures.every(({ outcome }) => outcome === 'valid');

/** What a person must know of a valid file, the gravest first. */
const NOTES = [
  { kind: 'covering-signature', title: 'fileCovered', text: 'covered' },
  { kind: 'annotation', title: 'fileCommented', text: 'comments' },
  { kind: 'form-filling', title: 'fileFilledIn', text: 'filledIn' },
] as const;

const isNoted = ({ outcome, signatures }: ShownReport, kind: ChangeKind): boolean =>
  outcome === 'valid' && hasChange(signatures, kind);

const hasChange = (signatures: ShownReport['signatures'], kind: ChangeKind): boolean =>
  signatures.some(({ changedParts }) => changedParts.some((part) => part.kind === kind));

/** Whether it is a detached signature without its content, and nothing else speaks against it. */
export const lacksContent = ({ outcome, reasons }: Pick<ShownReport, 'outcome' | 'reasons'>): boolean =>
  outcome === 'undetermined' && reasons.includes('SIGNED_DATA_NOT_FOUND');

type Banner = {
  readonly outcome: ShownReport['outcome'];
  readonly title: string;
  readonly facts?: readonly string[];
  readonly more?: readonly string[];
};

/** The header of a result, with the name of the file. */
export function banner(name: string, { outcome, title, facts = [], more = [] }: Banner): HTMLElement {
  return element(
    'header',
    { className: 'banner' },
    element('span', { className: 'mark' }, icon(outcome)),
    element(
      'div',
      {},
      element('h2', { tabIndex: -1 }, title),
      element('p', { className: 'file' }, name),
      ...facts.map((text) => element('p', { className: 'facts-line' }, text)),
      ...more.map((text) => element('p', {}, text)),
    ),
  );
}

/** The outcome of the file in a few words. */
function fileTitle(report: ShownReport, language: Language): string {
  const words = verificationWords(language);
  const { outcome, signatures } = report;
  if (signatures.length === 0) return words.fileUnsigned;
  if (lacksContent(report)) return words.fileWithoutContent;
  if (isPartly(report)) return words.filePartly;
  const note = NOTES.find(({ kind }) => isNoted(report, kind));
  if (note) return words[note.title];
  if (outcome === 'undetermined' && hasChange(signatures, 'overlay')) return words.fileOverlaid;
  const isOne = signatures.length === 1;
  if (outcome === 'valid') return isOne ? words.fileValidOne : words.fileValid;
  if (outcome === 'invalid') return words.fileInvalid;
  return isOne ? words.fileUndeterminedOne : words.fileUndetermined;
}
