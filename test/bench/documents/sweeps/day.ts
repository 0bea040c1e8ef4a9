// A day of a large deployment, and what is left of it for the sweeper. A message whose work ends well deletes its own
// record, so a sweep meets only what was abandoned, is late, or has a time of its own.

const DOCUMENTS = 10_000_000;
const ORGANIZATIONS = 1_000;
/** The part of the day's documents that the busiest minute has: an eighth of the day in its busiest hour. */
const BUSIEST_MINUTE = 0.12 / 60;
/** The same of the last minute of the day. */
const LAST_MINUTE = 0.01 / 60;

const ABANDONED_UPLOADS = 0.01; // a file that no document takes
const ABANDONED_SIGNATURES = 0.02; // started and never completed
const LATE_MESSAGES = 0.005; // not done within the head start: a killed worker, a burst
const MESSAGES_OF_A_DOCUMENT = 3; // two webhook events and the conclusion
const WEBHOOKS_OF_AN_ORGANIZATION = 2;
const FAILING_WEBHOOKS = 0.02; // each has one timer, at most once a minute
const WITH_DEADLINE = 0.3;
const UNSIGNED_AT_DEADLINE = 0.05;
const DEADLINES_BY_DAY = 0.5; // these all end with the day in Brasília, in one minute

const EXPIRIES = DOCUMENTS * WITH_DEADLINE * UNSIGNED_AT_DEADLINE;

export type Minute = { readonly work: number; readonly garbage: number };

const minuteOf = (part: number, expiriesOfTheDay: number): Minute => {
  const documents = DOCUMENTS * part;
  const timers = ORGANIZATIONS * WEBHOOKS_OF_AN_ORGANIZATION * FAILING_WEBHOOKS;
  const late = documents * MESSAGES_OF_A_DOCUMENT * LATE_MESSAGES;
  const expiries = EXPIRIES * (1 - DEADLINES_BY_DAY) * part + expiriesOfTheDay;
  return {
    work: Math.round(timers + late + expiries),
    garbage: Math.round(documents * (ABANDONED_UPLOADS + ABANDONED_SIGNATURES)),
  };
};

/** The busiest minute of working hours. */
export const WORKING_MINUTE = minuteOf(BUSIEST_MINUTE, 0);

/** The busiest of all: every deadline that is a day ends in it. */
export const MIDNIGHT = minuteOf(LAST_MINUTE, EXPIRIES * DEADLINES_BY_DAY);

export const inWords = ({ work, garbage }: Minute): string =>
  `${work} expiries, retries and late messages and ${garbage} uploads and tokens to collect`;
