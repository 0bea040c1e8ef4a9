import { randomUUID } from 'node:crypto';
import type { LoggedLine } from '../../../../../shared/log/logger.ts';

/** A line of the log as the event log keeps it. */
export type LogEntry = {
  /** Chosen once, so that an entry whose write is repeated is in the event log once. */
  readonly id: string;
  readonly atMs: number;
  readonly type: 'LogWarning' | 'LogError' | 'LogSinkOutage';
  readonly message: string;
  readonly jobId?: string | undefined;
};

// The reason of a failure is in its first lines. The output of the functions has the rest.
const MAX_MESSAGE_CHARACTERS = 1_000;

/** The entry of a line that was redacted; undefined below WARN, and for what is an event already. @example entryOf(line, nowMs)?.type // 'LogWarning' */
export function entryOf({ level, message, fields }: LoggedLine, nowMs: number): LogEntry | undefined {
  if ((level !== 'WARN' && level !== 'ERROR') || fields.event !== undefined) return undefined;
  const details = [fields.reason, fields.error].map(describe).filter((text) => text !== '');
  const jobId = typeof fields.jobId === 'string' ? fields.jobId : undefined;
  return {
    id: randomUUID(),
    atMs: nowMs,
    type: level === 'WARN' ? 'LogWarning' : 'LogError',
    message: shorten([message, ...details].join(' ')),
    ...(jobId !== undefined && { jobId }),
  };
}

/** A text or an error of a line, without its stack. */
function describe(value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value !== 'object' || value === null) return '';
  const { name, message } = value as { readonly name?: unknown; readonly message?: unknown };
  return [name, message].filter((text) => typeof text === 'string' && text !== '').join(': ');
}

const shorten = (text: string): string =>
  text.length > MAX_MESSAGE_CHARACTERS
    ? `${text.slice(0, MAX_MESSAGE_CHARACTERS - 1).toWellFormed()}…`
    : text;

type Outage = { readonly sinceMs: number; readonly untilMs: number; readonly dropped: number };

/** The entry of an outage that is over. */
export const outageEntry = ({ sinceMs, untilMs, dropped }: Outage): LogEntry => ({
  id: randomUUID(),
  atMs: untilMs,
  type: 'LogSinkOutage',
  message: `The event log could not be written from ${new Date(sinceMs).toISOString()} to ${new Date(untilMs).toISOString()}. ${countOf(dropped)} dropped; the output of the functions has them.`,
});

/** The entry of what a full queue has dropped since the last entry was written. */
export const droppedEntry = (dropped: number, nowMs: number): LogEntry => ({
  id: randomUUID(),
  atMs: nowMs,
  type: 'LogWarning',
  message: `${countOf(dropped)} dropped by a full queue; the output of the functions has them.`,
});

const countOf = (dropped: number): string =>
  dropped === 0
    ? 'No entries of the log were'
    : dropped === 1
      ? 'One entry of the log was'
      : `${dropped} entries of the log were`;
