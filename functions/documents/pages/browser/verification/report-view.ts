import { element } from '../../../../../shared/ui/browser/element.ts';
import type { Language } from '../../../../../shared/ui/languages.ts';
import { reasonWords } from '../../verification-meanings.ts';
import { verificationWords } from '../../verification-words.ts';
import { findings } from './findings.ts';
import { icon } from './icon.ts';
import type { ShownReport } from './report.ts';
import { signatureCard } from './signature-card.ts';

/** A report as people read it: what it comes to, and a card for each signature. */
export function reportView(report: ShownReport, name: string, language: Language): HTMLElement {
  const words = verificationWords(language);
  const { outcome, format, signatures, reasons, coverage } = report;
  const facts = signatures.length === 0 ? format : `${format} · ${words.signatures(signatures.length)}`;
  return element(
    'article',
    { className: `result ${outcome}` },
    banner(name, { outcome, title: fileTitle(report, language), facts }),
    list(
      'reasons',
      reasons.map((reason) => reasonWords(language)[reason]),
    ),
    coverage.isComplete || signatures.length === 0
      ? undefined
      : element('p', { className: 'gap' }, `${words.notCovered}: ${coverage.missing.join(', ')}`),
    ...signatures.map((one) => signatureCard(one, language)),
    report.validationResults ? findings(report.validationResults, language, words.details) : undefined,
  );
}

type Banner = {
  readonly outcome: ShownReport['outcome'];
  readonly title: string;
  readonly facts: string;
};

/** What stands above a result, with the name of the file. */
export function banner(name: string, { outcome, title, facts }: Banner): HTMLElement {
  return element(
    'header',
    { className: 'banner' },
    element('span', { className: 'mark' }, icon(outcome)),
    element(
      'div',
      {},
      element('h2', { tabIndex: -1 }, title),
      element('p', { className: 'file' }, name),
      facts ? element('p', { className: 'faint' }, facts) : undefined,
    ),
  );
}

/** What the file comes to, in a few words. */
export function fileTitle({ outcome, signatures }: ShownReport, language: Language): string {
  const words = verificationWords(language);
  if (signatures.length === 0) return words.fileUnsigned;
  if (outcome === 'valid') return signatures.length === 1 ? words.fileValidOne : words.fileValid;
  return outcome === 'invalid' ? words.fileInvalid : words.fileUndetermined;
}

function list(className: string, texts: readonly string[]): HTMLElement | undefined {
  if (texts.length === 0) return undefined;
  return element('ul', { className }, ...texts.map((text) => element('li', {}, text)));
}
