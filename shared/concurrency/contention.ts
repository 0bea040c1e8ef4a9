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

// One thread serves every call of a process, so that 200 callers of one application make a call of another take 200 times
// as long, whatever slots are free:
//
//   alone      C C C C C C C C C      as many at once as its limit allows
//   with D     C D C D C C D          one that computes each, by turns; calls that wait for something do not count
//
// A function of Lambda runs one call at a time, and never comes here.

/** @example const contention = processWide('contention', fairProcessor); */
export function fairProcessor(now: () => number = () => performance.now()): Contention {
  const running = new Map<string, Set<{ readonly startedAt: number }>>();
  const lastSeen = new Map<string, number>();

  const othersArePresent = (application: string): boolean => {
    for (const [name, at] of lastSeen) {
      if (now() - at > PRESENT_MS) lastSeen.delete(name);
      else if (name !== application) return true;
    }
    return false;
  };

  return {
    begin({ service, application }) {
      const call = { startedAt: now() };
      const key = `${service}/${application}`;
      const calls = running.get(key) ?? new Set();
      running.set(key, calls.add(call));
      lastSeen.set(application, call.startedAt);
      return () => {
        calls.delete(call);
        if (calls.size === 0) running.delete(key);
        lastSeen.set(application, now());
      };
    },
    slotsFor({ service, application }, most) {
      if (!othersArePresent(application)) return most;
      const waiting = [...(running.get(`${service}/${application}`) ?? [])].filter(
        ({ startedAt }) => now() - startedAt > YOUNG_MS,
      ).length;
      return Math.min(most, waiting + YOUNG_SLOTS);
    },
  };
}
