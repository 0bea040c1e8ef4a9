import { clockFrom } from '../../../../../shared/async/clock.ts';
import { logger } from '../../../../../shared/log/logger.ts';
import type { Stored } from '../../../../../shared/store/collection.ts';
import { commit, sendOnce } from '../../../../../shared/store/commit.ts';
import { RaceLost } from '../../../../../shared/store/refusals.ts';
import { retryOnConflict, retryWhileLocked } from '../../../../../shared/store/retry-on-conflict.ts';
import type { ItemWrite, Write } from '../../../../../shared/store/write.ts';
import { instanceName } from '../../../config/instance-name.ts';
import { version } from '../../../config/version.ts';
import { recordingEvent } from '../../../operations/domain/events.ts';
import { say } from '../../../sentences/sentences.ts';
import { settings } from '../../../settings.ts';
import {
  expiryOf,
  hasStoodDown,
  type Instance,
  instances,
  isOfThisStart,
  staleAfterMs,
  stateOf,
} from './instance.ts';

/** Messages on it only say when to send a heartbeat. */
export const HEARTBEATS_QUEUE = 'heartbeats';

// An instance whose heartbeats do not reach the store is stale to everybody, itself included, at the same time:
//
//   store     |----------------- cut off ------------------|
//   instance  * 0:15    0:30  0:45  1:00  1:15              * InstanceStoodDown, InstanceResumed
//   state     Live                        Stale             Live
//   its jobs                              taken over by a live instance, if there is one
//
// A start, after a stop or a kill, is a new instance by the same name: it has not stood down.
//
// A heartbeat that hangs must not make a stale instance live without these events:
//
//   store     |------------- cut off -----------------|
//   instance  * 0:00    0:50 sent, hangs - - given up     1:10 * InstanceStoodDown, InstanceResumed
//   state     Live                      1:00 Stale             Live
//
// So it is given up after a moment, and does not renew a row that could be stale by then.
const MAX_SENDING_MS = 5_000;

const sendingMs = (): number => Math.min(MAX_SENDING_MS, staleAfterMs() / 4);

/** Sends a heartbeat of this instance: one plain write, except at a start and after it stood down. */
export async function sendHeartbeat(nowMs: number): Promise<void> {
  const now = clockFrom(nowMs);
  const abortSignal = AbortSignal.timeout(sendingMs());
  try {
    await retryWhileLocked(() => sendOnce([renewal(nowMs)], { abortSignal }));
  } catch (error) {
    if (!(error instanceof RaceLost)) throw error;
    await joinOrResume(now);
  }
}

/**
 * Refused where the row is not that of a live instance of this start and version. The version of the row changes:
 * whoever read it as stale cannot take over its jobs any more.
 */
function renewal(nowMs: number): ItemWrite {
  const name = instanceName();
  return instances.patching(
    name,
    { heartbeatAtMs: nowMs, ...configured() },
    {
      when: {
        heartbeatAtMs: { above: nowMs + sendingMs() - staleAfterMs() },
        isStopped: false,
        boot: settings['Pipeline:Boot'],
        release: version(),
      },
      refusal: () => new RaceLost(`The instance ${name} joins, or resumes.`),
      ttl: expiryOf(nowMs),
    },
  );
}

const configured = () => ({ folders: settings['Storage:Inputs'].map(({ name }) => name) });

const started = (nowMs: number): Instance => ({
  name: instanceName(),
  release: version(),
  boot: settings['Pipeline:Boot'],
  startedAtMs: nowMs,
  heartbeatAtMs: nowMs,
  isStopped: false,
  ...configured(),
});

const joinOrResume = (now: () => number): Promise<void> =>
  retryOnConflict(
    async () => {
      const own = await instances.get(instanceName());
      await commit(writesOf(own, now()));
      if (!own || isOfOtherStart(own)) logStart(started(now()));
    },
    { mayCreate: true },
  );

const isOfOtherStart = (own: Instance): boolean => !isOfThisStart(own) || own.release !== version();

/** The start-up summary: once for each start of an instance, by whichever function sends its first heartbeat. */
const logStart = ({ name, release, folders }: Instance): void =>
  logger('batch').info('The service has started.', {
    instance: name,
    version: release,
    inputFolders: folders,
    maxConcurrency: settings['Pipeline:MaxConcurrency'],
  });

function writesOf(own: Stored<Instance> | undefined, nowMs: number): Write[] {
  if (!own) return [instances.creating(started(nowMs))];
  if (isOfOtherStart(own)) return [instances.changing(own, started(nowMs))];
  // Another heartbeat was faster, or this one is too late to keep it from standing down.
  if (stateOf(own, nowMs) === 'Live') return [];
  const write = instances.changing(own, { heartbeatAtMs: nowMs, ...configured() });
  const { name, heartbeatAtMs } = own;
  const sinceWhen = new Date(heartbeatAtMs + staleAfterMs()).toISOString();
  const lastHeartbeat = new Date(heartbeatAtMs).toISOString();
  return [
    write,
    ...recordingEvent(
      {
        type: 'InstanceStoodDown',
        message: say('instance.stood-down', { name, time: sinceWhen, since: lastHeartbeat }),
      },
      nowMs,
    ),
    // A millisecond later: the list has them in this order.
    ...recordingEvent({ type: 'InstanceResumed', message: say('instance.resumed', { name }) }, nowMs + 1),
  ];
}

/**
 * Whether this instance may claim a job, from its row as it was just read. The first look of a start is its first
 * heartbeat. A look also sends a heartbeat that is late: instances that share their queues receive each other's ticks.
 */
export async function mayClaim(own: Stored<Instance> | undefined, nowMs: number): Promise<boolean> {
  const isLate = !own || !isOfThisStart(own) || nowMs - own.heartbeatAtMs > staleAfterMs() / 2;
  if (isLate) await sendHeartbeat(nowMs);
  return !hasStoodDown(own, nowMs);
}
