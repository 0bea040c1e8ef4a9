import { html } from 'hono/html';
import type { Language } from '../../../../../shared/ui/languages.ts';
import type { Markup } from '../../../../../shared/ui/page.ts';
import { type ErrorCode, errors } from '../../../errors.ts';
import { JOB_SOURCES } from '../../../jobs/domain/job/job.ts';
import { jobStates } from '../../../jobs/domain/job/states.ts';
import { JOB_SORTS, type JobSort } from '../../../jobs/domain/list-jobs.ts';
import { dashboardPath } from '../../pages/frame.ts';
import { type Choice, selectField, textField } from '../../pages/parts.ts';
import { type FilterName, type Filters, MAX_TEXT_CHARACTERS } from './filters.ts';
import { listWords, sortWords } from './list-words.ts';
import { sourceWords, stateWords } from './state-words.ts';

/** The codes that jobs record, the most common first. Any other can be in the address. */
const RECORDED: readonly ErrorCode[] = [
  'job.certificate-invalid',
  'job.signing-failed',
  'job.verification-failed',
  'job.interrupted',
  'job.input-missing',
  'job.input-changed',
  'job.input-held',
  'job.input-diverged',
  'job.path-too-long',
  'job.already-processing',
  'file.already-processed',
  'profile.degraded',
  'profile.key-unavailable',
  'profile.disabled',
  'cnab240.invalid',
  'cnab240.payment-date-passed',
  'approval.content-changed',
  'approval.content-unmeasured',
  'approval.signatures-missing',
  'approval.signer-set-unsupported',
  'signer.document-rejected',
  'signer.timeout',
  'signer.unreachable',
  'signer-folder.signature-refused',
  'signer-folder.signature-failed',
  'signer-folder.key-unavailable',
  'signer-folder.interrupted',
  'signer-folder.action-url-malformed',
  'signer-folder.no-holder-action',
  'signer-folder.profile-changed',
];

/** An error in its first sentence. */
export const shortErrorText = (language: Language, code: string): string =>
  (errors.text(code, language) ?? code).split(/(?<=[.:]) /, 1)[0]?.replace(/[.:]$/, '') ?? code;

const FOLDED: readonly FilterName[] = ['profile', 'source', 'error', 'from', 'to', 'failedFrom', 'failedTo'];

type FilterView = {
  readonly language: Language;
  readonly filters: Filters;
  readonly profiles: readonly string[];
};

/** The filters of the list. The usual ones are a row; the others are folded, and named where they are set. It needs no script. */
export function filterForm({ language, filters, profiles }: FilterView): Markup {
  const words = listWords(language);
  const sorts = sortWords(language);
  const { given, problems, query } = filters;
  const common = (name: FilterName) => {
    const problem = problems[name];
    return { id: name, label: words[name], value: given[name], problem: problem && words[problem] };
  };
  const choices = (
    values: readonly string[],
    textOf: (value: string) => string,
    any = words.any,
  ): Choice[] => [{ value: '', text: any }, ...values.map((value) => ({ value, text: textOf(value) }))];
  // What the address has is a choice too: a profile that was removed may have jobs still.
  const withGiven = (values: readonly string[], name: FilterName): string[] => [
    ...new Set([...values, ...(given[name] && !problems[name] ? [given[name]] : [])]),
  ];
  const [states, sources]: Readonly<Record<string, string>>[] = [stateWords(language), sourceWords(language)];
  const set = FOLDED.filter((name) => given[name] !== '').map((name) => words[name]);
  const isOpen = FOLDED.some((name) => problems[name]);
  const date = (name: FilterName) => textField({ ...common(name), attributes: html` type="date"` });
  return html`<form class="card filters" role="search" method="get" action="${dashboardPath('jobs')}" aria-label="${words.filters}">
<div class="row">
${textField({ ...common('text'), attributes: html` type="search" maxlength="${MAX_TEXT_CHARACTERS}" autocomplete="off" dir="auto"` })}
${selectField({ ...common('status'), choices: choices(jobStates.states, (value) => states?.[value] ?? value) })}
${selectField({
  ...common('sort'),
  choices: choices(
    JOB_SORTS.filter((sort) => sort !== 'newest'),
    (value) => sorts[value as JobSort],
    sorts.newest,
  ),
})}
<button class="button">${words.search}</button>
${query.size > 0 ? html`<a class="button quiet" href="${dashboardPath('jobs')}">${words.clear}</a>` : ''}
</div>
<details class="more-filters"${isOpen ? html` open` : ''}><summary>${words.moreFilters}${set.length > 0 ? html`: <strong>${set.join(', ')}</strong>` : ''}</summary>
<div class="row">
${selectField({ ...common('profile'), choices: choices(withGiven(profiles, 'profile'), (value) => value) })}
${selectField({ ...common('source'), choices: choices(JOB_SOURCES, (value) => sources?.[value] ?? value) })}
${selectField({
  ...common('error'),
  choices: choices(withGiven(RECORDED, 'error'), (value) => shortErrorText(language, value)),
})}
${date('from')}
${date('to')}
${date('failedFrom')}
${date('failedTo')}
</div>
</details>
</form>`;
}
