import type { ValidationResults } from '../../../../../shared/pki/findings/validation-results.ts';
import type { Outcome } from '../../../../../shared/signing/verification/reasons.ts';
import { element } from '../../../../../shared/ui/browser/element.ts';
import type { Language } from '../../../../../shared/ui/languages.ts';
import { formatTime } from '../../../../../shared/ui/time.ts';
import { codeWords } from '../../verification/code-words.ts';
import { verificationWords } from '../../verification/words.ts';
import { facts, findings, icon } from './report-parts.ts';

/** Somebody who signed without a certificate, as GET /api/verification/{code} answers it. */
export type ShownElectronic = {
  readonly subjectName: string | null;
  readonly identifier: string | null;
  readonly signingTime: string | null;
  readonly outcome: Outcome;
  readonly validationResults: ValidationResults;
};

/** An electronic signature. It says its kind first, and nothing of a certificate. */
export function electronicCard(signer: ShownElectronic, language: Language): HTMLElement {
  const words = verificationWords(language);
  const { kind, kindLabel } = codeWords(language);
  const { outcome, signingTime } = signer;
  const signedAt =
    signingTime === null
      ? undefined
      : formatTime(language, Date.parse(signingTime), { date: 'long', time: 'medium' });
  return element(
    'section',
    { className: `card signature electronic ${outcome}` },
    element(
      'div',
      { className: 'heading' },
      element('h3', {}, signer.subjectName ?? words.unnamed),
      element('span', { className: 'outcome' }, icon(outcome), words[outcome]),
    ),
    facts([
      [kindLabel, kind],
      ['CPF', signer.identifier ?? undefined],
      [words.signedAt, signedAt],
    ]),
    findings(signer.validationResults, language, words.details),
  );
}
