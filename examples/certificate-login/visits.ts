import { randomBytes } from 'node:crypto';

/** What is known of a browser: the state of a login that has begun, or who has logged in. */
export type Visit = {
  readonly state?: string;
  readonly person?: { readonly name: string; readonly identifier: string | null };
};

const LIFETIME_MS = 8 * 3_600_000; // a working day
const MAX_VISITS = 10_000;

/** Visits by the cookie of the browser. With several servers, use a store of your own. */
export function openVisits(now = Date.now) {
  const visits = new Map<string, Visit & { readonly endsAtMs: number }>();
  return {
    find(id = ''): Visit | undefined {
      const visit = visits.get(id);
      return visit && visit.endsAtMs > now() ? visit : undefined;
    },
    begin(visit: Visit): string {
      const id = randomBytes(32).toString('base64url');
      // The oldest goes first, so that requests cannot fill the memory.
      if (visits.size >= MAX_VISITS) visits.delete(visits.keys().next().value ?? '');
      visits.set(id, { ...visit, endsAtMs: now() + LIFETIME_MS });
      return id;
    },
    end: (id = ''): boolean => visits.delete(id),
  };
}
