export type CircuitLimits = { readonly failures: number; readonly openForMs: number };

/** How a call ended: the provider answered or failed, was never asked, or nobody knows. */
export type CircuitOutcome = 'answered' | 'failed' | 'not-asked' | 'unclear';

export type Circuit = {
  /** Admits a call, which must report its outcome; nothing while the circuit is open. */
  enter(now: () => number): ((outcome: CircuitOutcome) => void) | undefined;
};

/**
 * A circuit breaker: spares callers the wait for a provider that fails again and again.
 *
 *   closed ----- so many failures in a row -----> open: every call is refused at once
 *     ^                                             | after a while
 *     '---- it answers --- half open: one call <----'
 *                              | it fails
 *                              '----> open, for as long again
 */
export function circuit(limits: () => CircuitLimits): Circuit {
  let failuresInARow = 0;
  let openUntilMs = 0;
  let hasTrial = false;

  return {
    enter(now) {
      const isClosed = failuresInARow < limits().failures;
      if (!isClosed && (now() < openUntilMs || hasTrial)) return undefined;
      const isTrial = !isClosed;
      hasTrial ||= isTrial;
      return (outcome) => {
        if (isTrial) hasTrial = false;
        if (outcome === 'answered') failuresInARow = 0;
        if (outcome !== 'failed') return;
        failuresInARow++;
        if (failuresInARow >= limits().failures) openUntilMs = now() + limits().openForMs;
      };
    },
  };
}
