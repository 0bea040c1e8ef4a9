import type { ServiceName } from '../../../shared/settings/names.ts';
import { checkReachable } from '../../../shared/store/availability.ts';

/** One thing the service needs. `detail` is for operators only. */
export type Check = { readonly name: string; readonly ok: boolean; readonly detail: string };

export type Verdict = { readonly ready: boolean; readonly checks: readonly Check[] };

/** Asks everything the service cannot work without. Both surfaces of the engine ask here, each for its own store. */
export async function checkReadiness(service: ServiceName): Promise<Verdict> {
  const checks: Check[] = [{ name: 'database', ...(await checkReachable(service)) }];
  return { ready: checks.every((check) => check.ok), checks };
}

/** What anyone may know: no text that could tell how the host is built. */
export const withoutDetails = ({ ready, checks }: Verdict) => ({
  ready,
  checks: checks.map(({ name, ok }) => ({ name, ok })),
});
