import { count, duration } from '../settings/kinds.ts';
import type { ApplicationLimits } from './endpoint.ts';

const WAITING_PER_RUNNING = 10;

/** The settings of a service that bounds what one application may do. */
export const applicationSettings = {
  'Throttle:ApplicationCallsPerMinute': count(
    30_000,
    'Calls of one application in a minute, over all instances: each may let a twentieth more pass.',
    { min: 20 },
  ),
  'Throttle:ApplicationConcurrency': count(
    50,
    'Calls of one application at once in a process; ten times as many wait. Acts on a host, not on Lambda.',
    { min: 1 },
  ),
  'Throttle:QueueWait': duration(10, 'How long a call waits for its turn before it is refused.'),
};

type Values = { readonly [Name in keyof typeof applicationSettings]: number };

/** @example applicationLimits: () => applicationLimitsOf(settings) */
export const applicationLimitsOf = (settings: Values): ApplicationLimits => ({
  callsPerMinute: settings['Throttle:ApplicationCallsPerMinute'],
  concurrency: settings['Throttle:ApplicationConcurrency'],
  queueLimit: WAITING_PER_RUNNING * settings['Throttle:ApplicationConcurrency'],
  waitMs: settings['Throttle:QueueWait'] * 1000,
});
