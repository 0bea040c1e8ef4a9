/** A call of one service may wait for a call of another by the same application, so slots are counted by service. */
export type ServiceCall = {
  readonly service: string;
  readonly application: string;
  /** Part of a call of the application that has had its turn already. */
  readonly isContinued?: boolean;
};

/** In place of an application: work that no caller waits for. It has a share, and takes nothing of those of callers. */
export const BACKGROUND = '-';

/** Calls of several applications that share one processor. */
export type Contention = {
  /** Records that a call of this application runs. The returned function records its end. */
  begin(call: ServiceCall): () => void;
  /** How many calls the application may have running at the service: `max`, or few while others need the processor. */
  slotsFor(call: ServiceCall, max: number): number;
  /** The milliseconds until `slotsFor` may have another answer though no call begins or ends. */
  nextChangeMs(call: ServiceCall): number;
};

// A call that computes ends within this time. A call that runs longer waits for something: a provider, a slow body.
const YOUNG_MS = 1_000;
// An application that called within this time counts as present and has a share of the processor.
const PRESENT_MS = 5_000;
// Calls of one application that compute at once while others are present. More would only make all of them slower.
const YOUNG_SLOTS = 1;
// Used time counts half after this time.
const HALF_LIFE_MS = 2_000;
// How long a call of an application that used less time precedes the next call of one that used more. A call may wait
// for a call of another application at another service, so this must end by itself.
const PRECEDENCE_MS = 50;

// One thread serves every call of a process: 200 callers of one application make a call of another take 200 times as
// long, whatever slots are free. The remedy is least attained service first:
//
//   alone      C C C C C C C C C      as many at once as its limit allows
//   with D     C D C D C C D          one computing call each, by turns; calls that wait for something do not count
//
// It acts in the host and in the local engine. A Lambda function runs one call at a time and never comes here.
//
// A call to a service of the same host is part of the call that makes it. It never lets another application go first:
//
//   C at the session server   |--has its turn------------ waits for --|
//   D                            |--its turn--|          |
//   the same C at documents                         |--goes on at once--|

type Usage = { readonly usedMs: number; readonly atMs: number };
type Running = ReadonlySet<{ readonly startedAt: number }>;

/** @example const contention = processWide('contention', fairProcessor); */
export function fairProcessor(now: () => number = () => performance.now()): Contention {
  const running = new Map<string, Map<string, Set<{ readonly startedAt: number }>>>();
  const usage = new Map<string, Usage>();

  const usedBy = (application: string): number => {
    const { usedMs, atMs } = usage.get(application) ?? { usedMs: 0, atMs: now() };
    return usedMs * 0.5 ** ((now() - atMs) / HALF_LIFE_MS);
  };
  const addUsage = (application: string, usedMs: number): void =>
    void usage.set(application, { usedMs: usedBy(application) + usedMs, atMs: now() });

  const othersThan = (application: string): string[] => {
    for (const [name, { atMs }] of usage) if (now() - atMs >= PRESENT_MS) usage.delete(name);
    return [...usage.keys()].filter((name) => name !== application && name !== BACKGROUND);
  };
  const callsOf = (application: string): Running[] => [...(running.get(application)?.values() ?? [])];
  const callsAt = ({ service, application }: ServiceCall): Running =>
    running.get(application)?.get(service) ?? new Set();
  const isYoungerThan = (calls: Running, ms: number): boolean =>
    calls.values().some(({ startedAt }) => now() - startedAt < ms);
  const goesFirst = (other: string, application: string): boolean =>
    usedBy(other) < usedBy(application) &&
    callsOf(other).some((calls) => isYoungerThan(calls, PRECEDENCE_MS));

  return {
    begin({ service, application }) {
      const call = { startedAt: now() };
      const ofApplication = running.get(application) ?? new Map();
      const calls = ofApplication.get(service) ?? new Set();
      running.set(application, ofApplication.set(service, calls.add(call)));
      addUsage(application, 0);
      return () => {
        calls.delete(call);
        if (calls.size === 0) ofApplication.delete(service);
        if (ofApplication.size === 0) running.delete(application);
        addUsage(application, Math.min(YOUNG_MS, now() - call.startedAt));
      };
    },
    slotsFor(call, max) {
      const { application, isContinued = false } = call;
      const others = othersThan(application);
      if (others.length === 0) return max;
      const waiting = [...callsAt(call)].filter(({ startedAt }) => now() - startedAt >= YOUNG_MS).length;
      const isHeldBack = !isContinued && others.some((other) => goesFirst(other, application));
      return Math.min(max, waiting + (isHeldBack ? 0 : YOUNG_SLOTS));
    },
    nextChangeMs(call) {
      const others = othersThan(call.application);
      const ends = [
        ...[...callsAt(call)].map(({ startedAt }) => startedAt + YOUNG_MS),
        ...others
          .flatMap(callsOf)
          .flatMap((calls) => [...calls].map(({ startedAt }) => startedAt + PRECEDENCE_MS)),
        ...others.map((other) => (usage.get(other)?.atMs ?? 0) + PRESENT_MS),
      ];
      return Math.min(...ends.map((endsAt) => endsAt - now()).filter((leftMs) => leftMs > 0));
    },
  };
}
