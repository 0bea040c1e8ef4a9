import type {
  ValidationItem,
  ValidationResults,
} from '../../../../../shared/pki/findings/validation-results.ts';
import type { Outcome } from '../../../../../shared/signing/verification/reasons.ts';
import { element, part } from '../../../../../shared/ui/browser/element.ts';
import type { Language } from '../../../../../shared/ui/languages.ts';
import { formatTimesIn } from '../../../../../shared/ui/time.ts';
import { verificationWords } from '../../verification/words.ts';

/** All checks of a result, collapsed; undefined where there are none. */
export function findings(
  results: ValidationResults,
  language: Language,
  title: string,
  ...more: readonly HTMLElement[]
): HTMLElement | undefined {
  const words = verificationWords(language);
  const groups = [
    group(words.problems, results.errors),
    group(words.notes, results.warnings),
    group(words.passed, results.passedChecks),
  ].filter((each) => each !== undefined);
  if (groups.length === 0 && more.length === 0) return undefined;
  return element('details', { className: 'details' }, element('summary', {}, title), ...more, ...groups);
}

function group(title: string, items: readonly ValidationItem[]): HTMLElement | undefined {
  if (items.length === 0) return undefined;
  return element('div', { className: 'findings' }, element('h4', {}, title), tree(items));
}

// Findings are in English in any language of the page; `lang` says so to screen readers.
const tree = (items: readonly ValidationItem[]): HTMLElement =>
  element('ul', { lang: 'en' }, ...items.map(branch));

function branch({ message, type, innerValidationResults: inner }: ValidationItem): HTMLElement {
  const below = inner ? [...inner.errors, ...inner.warnings] : [];
  return element(
    'li',
    {},
    formatTimesIn('en', message),
    type === 'Success' ? undefined : element('code', {}, type),
    below.length > 0 ? tree(below) : undefined,
  );
}

/** The icon of an outcome, which the server put into a template of the page. */
export const icon = (outcome: Outcome): Node =>
  part(`icon-${outcome}`, HTMLTemplateElement).content.cloneNode(true);

/** The name of a fact, and its values. */
export type Row = readonly [label: string, value: string | readonly string[] | undefined];

/** The facts that have a value. */
export function facts(rows: readonly Row[]): HTMLElement {
  const shown = rows.flatMap(([label, value]) => {
    const values = (typeof value === 'string' ? [value] : (value ?? [])).filter(Boolean);
    return values.length === 0
      ? []
      : [element('dt', {}, label), ...values.map((text) => element('dd', {}, text))];
  });
  return element('dl', { className: 'facts' }, ...shown);
}
