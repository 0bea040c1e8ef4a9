import { Refusal } from '../../../../../shared/errors/errors.ts';
import { type EventsRequest, showEvents } from '../../../operations/domain/list-events.ts';
import type { Section } from '../../visit.ts';
import { type EventProblems, readFilters } from './event-filters.ts';
import { eventsPage } from './events-page.ts';

/** What happened, with filters in the address of the page. Entries of the log are among the events. */
export const events: Section = {
  pages: {
    async events(visit) {
      const { filters, problems, request } = readFilters(visit);
      if (!request) return eventsPage(visit, { filters, problems });
      const found = await find(request);
      return eventsPage(visit, { filters, ...found });
    },
  },
  forms: {},
};

type Found =
  | { readonly problems: EventProblems }
  | { readonly problems?: undefined; readonly list: Awaited<ReturnType<typeof showEvents>> };

/** A search over too many events is a problem of its text. */
async function find(request: EventsRequest): Promise<Found> {
  try {
    return { list: await showEvents(request) };
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== 'validation.filter-invalid') throw error;
    return { problems: { text: 'tooMany' } };
  }
}
