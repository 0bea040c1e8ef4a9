import { UpdateRestamp } from '../contract.ts';
import { retryRestamp } from '../domain/retry-restamp.ts';
import { restampRoutes } from '../routes.ts';

export const handler = restampRoutes.change({
  description:
    'Tries a restamp again now (`updated`), such as one that failed. It is tried again by itself at `retryDate`. A refusal names the present status.',
  events: ['updated'],
  body: UpdateRestamp,
  run: (caller, id, _, nowMs) => retryRestamp(caller, id, nowMs),
});
