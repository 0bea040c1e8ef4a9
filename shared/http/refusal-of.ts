import { Problem, Refusal, type Situation, Unavailable } from '../errors/errors.ts';
import { isStoreUnavailable } from '../store/availability.ts';
import type { Declaration } from './declaration.ts';
import type { Service } from './endpoint.ts';
import { OutOfTime } from './response/deadline.ts';

/** Any failure as a refusal of this service. A framework problem gets the code of its situation. */
export function refusalOf(
  service: Service,
  error: unknown,
  situations: Declaration['situations'] = {},
): Refusal {
  if (error instanceof Refusal) return error;
  const problem = problemOf(error);
  const status = STATUS[problem.situation];
  const code = situations[problem.situation] ?? service.situations[problem.situation];
  const allowed = service.errors.statuses(code);
  return service.errors.refuse(code, problem.details, {
    ...problem.extra,
    ...(allowed.includes(status) && { status }),
  });
}

// A slow or unreachable store usually recovers within seconds.
const RETRY_AFTER_SECONDS = 5;

function problemOf(error: unknown): Problem {
  if (error instanceof Problem) return error;
  const isUnavailable = error instanceof OutOfTime || error instanceof Unavailable;
  if (!isUnavailable && !isStoreUnavailable(error)) return new Problem('unexpected');
  return new Problem('unavailable', undefined, { headers: { 'retry-after': String(RETRY_AFTER_SECONDS) } });
}

// The status of each situation, for codes that allow several statuses.
const STATUS: Readonly<Record<Situation, number>> = {
  invalid: 400,
  unauthorized: 401,
  forbidden: 403,
  noRoute: 404,
  tooLarge: 413,
  tooSlow: 408,
  unsupportedMedia: 415,
  rateLimited: 429,
  busy: 429,
  unavailable: 503,
  unexpected: 500,
};
