import type { ServiceName } from '../../../../shared/settings/names.ts';
import { checkReachable } from '../../../../shared/store/availability.ts';
import { wasUnreachableAtStart } from '../../../../shared/store/start-check.ts';
import { inEnglish, type Sentence, say } from '../../sentences/sentences.ts';

/** One dependency of the service. `detail` is for operators only, and so is a warning: a check that is ok, but not for long. */
export type Check = {
  readonly name: string;
  readonly ok: boolean;
  readonly detail: Sentence;
  readonly isWarning?: boolean;
};

export type ReadinessResult = { readonly ready: boolean; readonly checks: readonly Check[] };

/** A profile that cannot sign now, and why. */
export type DegradedProfile = { readonly name: string; readonly reason: Sentence };

/** A check of another part of the service. Where `isCounted` is false it is shown, and fails nothing. */
export type FurtherCheck = Check & { readonly isCounted?: boolean };

type Reached = Pick<Check, 'ok' | 'detail'>;

/**
 * Checks every dependency of a service. Both surfaces of the engine use it, each for its own store. A degraded profile
 * is shown, and fails nothing: the other profiles work.
 */
export async function checkReadiness(
  service: ServiceName,
  degradedProfiles: () => Promise<readonly DegradedProfile[]> = async () => [],
  findFurther: () => Promise<readonly FurtherCheck[]> = async () => [],
): Promise<ReadinessResult> {
  const database = await checkDatabase(service);
  // Profiles, folders and shares are in the same store.
  const [degraded, further] = database.ok ? await Promise.all([degradedProfiles(), findFurther()]) : [[], []];
  return {
    ready: database.ok && further.every(({ ok, isCounted = true }) => ok || !isCounted),
    checks: [
      { name: 'database', ...database },
      ...further.map(({ isCounted: _, ...check }) => check),
      ...degraded.map(({ name, reason }) => ({ name: `signing-profile:${name}`, ok: false, detail: reason })),
    ],
  };
}

// An instance that began without its store may have missed what is done at a start, so it is replaced, not trusted. A
// function asks again: nobody can replace one of its processes, and nothing is done at its start.
async function checkDatabase(service: ServiceName): Promise<Reached> {
  if (wasUnreachableAtStart(service)) return { ok: false, detail: say('check.store-missed-at-start') };
  const { ok, detail } = await checkReachable(service);
  return { ok, detail: ok ? say('check.store-answers') : detail };
}

/** The public part: details could reveal how the host is built, and a warning is nothing but its detail. */
export const withoutDetails = ({ ready, checks }: ReadinessResult) => ({
  ready,
  checks: checks.filter(({ isWarning }) => !isWarning).map(({ name, ok }) => ({ name, ok })),
});

/** The part for operators and their programs. */
export const withDetails = ({ ready, checks }: ReadinessResult) => ({
  ready,
  checks: checks.map(({ name, ok, detail }) => ({ name, ok, detail: inEnglish(detail) })),
});
