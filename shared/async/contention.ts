/** Slots are counted by service: a call of one service may wait for a call of another by the same application. */
export type ServiceCall = { readonly service: string; readonly application: string };

/** Calls of several applications that share one processor. */
export type Contention = {
  /** Notes that a call of this application runs. Gives the function that ends the note. */
  begin(call: ServiceCall): () => void;
  /** How many calls it may have running at the service now: `most`, or few while they would keep others waiting. */
  slotsFor(call: ServiceCall, most: number): number;
};

// A call that computes is over within this time. One that runs longer waits for something: a provider, a slow body.
const YOUNG_MS = 1_000;
// An application that called within this time is there, and has a part of the processor.
const PRESENT_MS = 5_000;
// Calls of an application that compute at once while others are there. More would only make all of them slower.
const YOUNG_SLOTS = 1;
// What an application used counts half after this time.
const HALF_LIFE_MS = 2_000;

/**
 * How long the call of an application that used less goes before the next call of one that used more. A call may wait
 * for another application's at another service, so that this must end by itself: look at who waits when it does.
 */
export const PRECEDENCE_MS = 50;

// One thread serves every call of a process, so that 200 callers of one application make a call of another take 200 times
// as long, whatever slots are free (least attained service first):
//
//   alone      C C C C C C C C C      as many at once as its limit allows
//   with D     C D C D C C D          one that computes each, by turns; calls that wait for something do not count
//
// A function of Lambda runs one call at a time, and never comes here.

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
  const note = (application: string, usedMs: number): void =>
    void usage.set(application, { usedMs: usedBy(application) + usedMs, atMs: now() });

  const othersThan = (application: string): string[] => {
    for (const [name, { atMs }] of usage) if (now() - atMs > PRESENT_MS) usage.delete(name);
    return [...usage.keys()].filter((name) => name !== application);
  };
  const isYoungerThan = (calls: Running, ms: number): boolean =>
    calls.values().some(({ startedAt }) => now() - startedAt < ms);
  const goesFirst = (other: string, application: string): boolean =>
    usedBy(other) < usedBy(application) &&
    [...(running.get(other)?.values() ?? [])].some((calls) => isYoungerThan(calls, PRECEDENCE_MS));

  return {
    begin({ service, application }) {
      const call = { startedAt: now() };
      const ofApplication = running.get(application) ?? new Map();
      const calls = ofApplication.get(service) ?? new Set();
      running.set(application, ofApplication.set(service, calls.add(call)));
      note(application, 0);
      return () => {
        calls.delete(call);
        if (calls.size === 0) ofApplication.delete(service);
        if (ofApplication.size === 0) running.delete(application);
        note(application, Math.min(YOUNG_MS, now() - call.startedAt));
      };
    },
    slotsFor({ service, application }, most) {
      const others = othersThan(application);
      if (others.length === 0) return most;
      const calls = running.get(application)?.get(service) ?? new Set();
      const waiting = [...calls].filter(({ startedAt }) => now() - startedAt > YOUNG_MS).length;
      const computing = others.some((other) => goesFirst(other, application)) ? 0 : YOUNG_SLOTS;
      return Math.min(most, waiting + computing);
    },
  };
}
