import * as z from 'zod';
import { pageOf } from '../../../shared/http/page-of.ts';
import { inAnyCase, paging, rangeInOrder, timeRange } from '../../../shared/http/request/list-query.ts';
import { EVENT_TYPES, type EventType } from './event-types.ts';

export const Health = z
  .object({ healthy: z.boolean(), status: z.string() })
  .meta({ description: 'The service answers.', examples: [{ healthy: true, status: 'Healthy' }] });

export const Readiness = z
  .object({
    ready: z.boolean(),
    checks: z.array(z.object({ name: z.string(), ok: z.boolean() })),
  })
  .meta({
    description: 'Whether the service can work, by check. A degraded profile is shown and fails nothing.',
    examples: [{ ready: true, checks: [{ name: 'database', ok: true }] }],
  });

export const ReadinessDetails = z
  .object({
    ready: z.boolean(),
    checks: z.array(z.object({ name: z.string(), ok: z.boolean(), detail: z.string() })),
  })
  .meta({
    description: 'Whether the service can work, with what each check saw.',
    examples: [{ ready: true, checks: [{ name: 'database', ok: true, detail: 'Answered.' }] }],
  });

const eventType = z.enum(Object.keys(EVENT_TYPES) as EventType[]);

// Longer texts are in no event.
const MAX_SEARCHED_CHARACTERS = 200;

export const EventsQuery = z
  .object({
    type: inAnyCase(eventType).optional().describe('Only events of this type, in any case.'),
    ...timeRange,
    text: z
      .string()
      .max(MAX_SEARCHED_CHARACTERS)
      .optional()
      .describe(
        'Only events with this text in the message, job id, profile, code or actor, whatever its case and accents. ' +
          'The range may have 100,000 events.',
      ),
    ...paging,
  })
  .refine(...rangeInOrder);

export const OperationalEvent = z
  .object({
    id: z.uuid(),
    timestamp: z.iso.datetime(),
    type: eventType,
    message: z.string(),
    jobId: z.string().nullable(),
    profileName: z.string().nullable(),
    code: z.string().nullable().describe('The error code, where the event has one.'),
    by: z.string().nullable().describe('Who did it, where somebody did.'),
  })
  .meta({
    description: 'Something that happened.',
    examples: [
      {
        id: 'c1b7a8f2-6c0e-4b0e-9a51-0d4b3c6f7a10',
        timestamp: '2026-03-02T12:00:00.000Z',
        type: 'PipelinePaused',
        message: 'The pipeline was paused: Certificate renewal.',
        jobId: null,
        profileName: null,
        code: null,
        by: 'operator',
      },
    ],
  });

export const EventList = pageOf(OperationalEvent).meta({
  description: 'A page of the event log, newest first.',
  examples: [
    {
      items: [
        {
          id: 'c1b7a8f2-6c0e-4b0e-9a51-0d4b3c6f7a10',
          timestamp: '2026-03-02T12:00:00.000Z',
          type: 'PipelinePaused',
          message: 'The pipeline was paused: Certificate renewal.',
          jobId: null,
          profileName: null,
          code: null,
          by: 'operator',
        },
      ],
      page: 1,
      pageSize: 50,
      totalCount: 1,
    },
  ],
});
