import type { ServiceName } from '../../../../shared/settings/names.ts';
import { checkReachable } from '../../../../shared/store/availability.ts';

/** One dependency of the service. `detail` is for operators only. */
export type Check = { readonly name: string; readonly ok: boolean; readonly detail: string };

export type ReadinessResult = { readonly ready: boolean; readonly checks: readonly Check[] };

/** Checks every dependency of a service. Both surfaces of the engine use it, each for its own store. */
export async function checkReadiness(service: ServiceName): Promise<ReadinessResult> {
  const checks: Check[] = [{ name: 'database', ...(await checkReachable(service)) }];
  return { ready: checks.every((check) => check.ok), checks };
}

/** The public part: details could reveal how the host is built. */
export const withoutDetails = ({ ready, checks }: ReadinessResult) => ({
  ready,
  checks: checks.map(({ name, ok }) => ({ name, ok })),
});
