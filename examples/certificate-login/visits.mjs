import { randomBytes } from 'node:crypto';

const LIFETIME_MS = 8 * 3_600_000; // a working day
const MAX_VISITS = 10_000;

/** Visits by the cookie of the browser. With several servers, use a store of your own. */
export function openVisits(now = Date.now) {
  const visits = new Map();
  return {
    find(id) {
      const visit = visits.get(id);
      return visit && visit.endsAtMs > now() ? visit : undefined;
    },
    begin(what) {
      const id = randomBytes(32).toString('base64url');
      // The oldest goes first, so that requests cannot fill the memory.
      if (visits.size >= MAX_VISITS) visits.delete(visits.keys().next().value);
      visits.set(id, { ...what, endsAtMs: now() + LIFETIME_MS });
      return id;
    },
    end: (id) => visits.delete(id),
  };
}
