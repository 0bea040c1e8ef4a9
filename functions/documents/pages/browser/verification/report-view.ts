import { element } from '../../../../../shared/ui/browser/element.ts';
import type { Language } from '../../../../../shared/ui/languages.ts';
import { reasonWords } from '../../../../../shared/ui/reason-words.ts';
import { verificationWords } from '../../verification/words.ts';
import type { ShownReport } from './report.ts';
import { findings, icon } from './report-parts.ts';
import { signatureCard } from './signature-card.ts';

/** A report for people: the outcome, and a card for each signature. */
export function reportView(report: ShownReport, name: string, language: Language): HTMLElement {
  const words = verificationWords(language);
  const { outcome, format, signatures, validationResults } = report;
  const facts = signatures.length === 0 ? format : `${format} · ${words.signatures(signatures.length)}`;
  const details = validationResults && findings(validationResults, language, words.fileDetails);
  return element(
    'article',
    { className: `result ${outcome}` },
    banner(name, { outcome, title: fileTitle(report, language), facts, more: reasonsText(report, language) }),
    ...signatures.map((one) => signatureCard(one, language)),
    details ? element('div', { className: 'card' }, details) : undefined,
  );
}

/** The reasons against the file that neither its title nor its signatures show. */
function reasonsText(report: ShownReport, language: Language): string[] {
  const { reasons, signatures } = report;
  if (isPartly(report)) return [verificationWords(language).restOpen];
  return reasons
    .filter((reason) => !signatures.some((one) => one.reasons.includes(reason)))
    .map((reason) => reasonWords(language)[reason]);
}

const isPartly = ({ coverage, signatures }: ShownReport): boolean =>
  !coverage.isComplete && signatures.length > 0 && signatures.every(({ outcome }) => outcome === 'valid');

/** Whether it is a detached signature without its content. */
export const lacksContent = ({ reasons }: Pick<ShownReport, 'reasons'>): boolean =>
  reasons.includes('SIGNED_DATA_NOT_FOUND');

type Banner = {
  readonly outcome: ShownReport['outcome'];
  readonly title: string;
  readonly facts?: string;
  readonly more?: readonly string[];
};

/** The header of a result, with the name of the file. */
export function banner(name: string, { outcome, title, facts, more = [] }: Banner): HTMLElement {
  return element(
    'header',
    { className: 'banner' },
    element('span', { className: 'mark' }, icon(outcome)),
    element(
      'div',
      {},
      element('h2', { tabIndex: -1 }, title),
      element('p', { className: 'file' }, name),
      facts ? element('p', { className: 'facts-line' }, facts) : undefined,
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
  const isOne = signatures.length === 1;
  if (outcome === 'valid') return isOne ? words.fileValidOne : words.fileValid;
  if (outcome === 'invalid') return words.fileInvalid;
  return isOne ? words.fileUndeterminedOne : words.fileUndetermined;
}
