import { html } from 'hono/html';
import type { Answer } from '../../../../../shared/http/response/answer.ts';
import type { Markup } from '../../../../../shared/ui/page.ts';
import { type Column, renderTable } from '../../../../../shared/ui/table.ts';
import { formatCount, timeOf } from '../../../config/page-format.ts';
import type { showEvents } from '../../../operations/domain/list-events.ts';
import { EVENT_TYPES, type EventType } from '../../../operations/event-types.ts';
import { settings } from '../../../settings.ts';
import { dashboardPath } from '../../pages/frame.ts';
import { operatorPage } from '../../pages/operator-page.ts';
import { badge, pager, problemBox, selectField, textField } from '../../pages/parts.ts';
import { givenText, recordedText } from '../../pages/text.ts';
import type { Visit } from '../../visit.ts';
import { type EventFilters, type EventProblems, MAX_TEXT_CHARACTERS } from './event-filters.ts';
import { eventTypeWords } from './event-type-words.ts';
import { eventWords } from './event-words.ts';

type EventList = Awaited<ReturnType<typeof showEvents>>;
type ShownEvent = EventList['items'][number];
type Words = ReturnType<typeof eventWords>;

type EventsView = {
  readonly filters: EventFilters;
  readonly problems?: EventProblems | undefined;
  /** Undefined where a filter does not hold. */
  readonly list?: EventList;
};

export function eventsPage(visit: Visit, view: EventsView): Promise<Answer> {
  const words = eventWords(visit.language);
  const { filters, list } = view;
  const problem = view.problems?.page;
  // A search reads many events: it is not repeated by itself.
  const live = filters.text === '' ? html` data-live="10"` : '';
  return operatorPage(visit, {
    title: words.title,
    current: 'events',
    ...(!list && { status: 400 }),
    body: html`<h1>${words.title}</h1>
${problemBox(problem && words[problem])}
${filterForm(visit, view, words)}
${list ? html`<div class="stack" id="events"${live}>${listOf(visit, filters, list, words)}</div>` : ''}`,
  });
}

function listOf(visit: Visit, filters: EventFilters, list: EventList, words: Words): Markup {
  const { language } = visit;
  const { items, page, pageSize, totalCount } = list;
  const given = Object.entries(filters).filter(([name, value]) => name !== 'page' && value !== '');
  const query = new URLSearchParams(given);
  return html`<p class="faint">${words.found(formatCount(language, totalCount))}</p>
${items.length > 0 ? renderTable(columnsOf(visit, words), items) : html`<p class="card">${words.none}</p>`}
${pager({ language, page, pageSize, totalCount, query })}`;
}

function filterForm({ language }: Visit, { filters, problems = {} }: EventsView, words: Words): Markup {
  const types = eventTypeWords(language);
  const choices = (Object.keys(EVENT_TYPES) as EventType[])
    .map((value) => ({ value, text: types[value] }))
    .toSorted((a, b) => a.text.localeCompare(b.text, language));
  const problemAt = (name: keyof EventFilters) => problems[name] && words[problems[name]];
  const set = FOLDED.filter((name) => filters[name] !== '').map((name) => words[name]);
  const isOpen = FOLDED.some((name) => problems[name]);
  const date = (name: 'from' | 'to'): Markup =>
    textField({
      id: name,
      label: words[name],
      value: filters[name],
      problem: problemAt(name),
      attributes: html` type="date"`,
    });
  return html`<form class="card stack" method="get" action="${dashboardPath('events')}">
<div class="row">
${textField({
  id: 'text',
  label: words.text,
  value: filters.text,
  problem: problemAt('text'),
  attributes: html` type="search" maxlength="${MAX_TEXT_CHARACTERS}"`,
})}
<button class="button">${words.filter}</button>
<a class="button quiet" href="${dashboardPath('events')}">${words.all}</a>
</div>
<details class="more-filters"${isOpen ? html` open` : ''}><summary>${words.moreFilters}${set.length > 0 ? html`: <strong>${set.join(', ')}</strong>` : ''}</summary>
<div class="row">
${selectField({
  id: 'type',
  label: words.type,
  value: filters.type,
  problem: problemAt('type'),
  choices: [{ value: '', text: words.anyType }, ...choices],
})}
${date('from')}
${date('to')}
</div>
<p class="faint">${words.hint(settings['Cnab240:TimeZone'])}</p>
</details>
</form>`;
}

// As on the list of jobs: on a phone the first screen shows events. Those that are set are named.
const FOLDED = ['type', 'from', 'to'] as const;

const BAD = /Failed|Error|Locked|Outage|Diverged|StoodDown/;
const GOOD = /Completed|Released|Resumed/;
const toneOf = (type: EventType) => (BAD.test(type) ? 'bad' : GOOD.test(type) ? 'good' : 'neutral');

const columnsOf = ({ language }: Visit, words: Words): readonly Column<ShownEvent>[] => {
  const types = eventTypeWords(language);
  return [
    { title: words.time, kind: 'text', cell: ({ timestamp }) => timeOf(language, Date.parse(timestamp)) },
    { title: words.type, kind: 'text', cell: ({ type }) => badge(types[type], toneOf(type)) },
    {
      title: words.message,
      kind: 'wide',
      cell: ({ message, said, code }) =>
        html`${recordedText(language, said ?? message)}${code === null ? '' : html`<span class="faint"><code>${code}</code></span>`}`,
    },
    { title: words.by, kind: 'wide', cell: ({ by }) => (by === null ? '' : givenText(by)) },
    {
      title: words.job,
      kind: 'text',
      cell: ({ jobId }) =>
        jobId === null
          ? ''
          : html`<a href="${dashboardPath(`jobs/${encodeURIComponent(jobId)}`)}" title="${jobId}">${jobId.slice(0, 8)}</a>`,
    },
    {
      title: words.profile,
      kind: 'text',
      cell: ({ profileName }) =>
        profileName === null
          ? ''
          : html`<a href="${dashboardPath(`profiles/${encodeURIComponent(profileName)}`)}">${givenText(profileName)}</a>`,
    },
  ];
};
