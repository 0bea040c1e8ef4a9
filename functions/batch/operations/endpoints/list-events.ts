import { batch } from '../../service.ts';
import { EventList, EventsQuery } from '../contract.ts';
import { listEvents } from '../domain/list-events.ts';

export const handler = batch.endpoint(
  {
    route: 'GET /api/events',
    summary: 'List operational events',
    description:
      'The event log, newest first, by type, time and text. A filter value that is not understood is refused.',
    tag: 'operations',
    query: EventsQuery,
    answers: { 200: EventList },
    refuses: ['auth.misconfigured'],
  },
  async ({ query: { from, to, ...query } }) => listEvents({ ...query, fromMs: from, untilMs: to }),
);
