export type CircuitLimits = { readonly failures: number; readonly openForMs: number };

/** How a call that was let through ended: did the other side answer, fail, was it never asked, or does nobody know. */
export type CircuitOutcome = 'answered' | 'failed' | 'not-asked' | 'unclear';

export type Circuit = {
  /** Lets a call through, which must say how it ended, or refuses it. */
  enter(): ((outcome: CircuitOutcome) => void) | undefined;
};

/**
 * Spares callers the wait for somebody who has failed again and again.
 *
 *   closed ----- so many failures in a row -----> open: every call is refused at once
 *     ^                                             | after a while
 *     '---- it answers --- half open: one call <----'
 *                              | it fails
 *                              '----> open, for as long again
 */
export function circuit(limits: () => CircuitLimits, now: () => number = Date.now): Circuit {
  let failuresInARow = 0;
  let openUntilMs = 0;
  let isTried = false;

  const enter = (): ((outcome: CircuitOutcome) => void) | undefined => {
    const isClosed = failuresInARow < limits().failures;
    if (!isClosed && (now() < openUntilMs || isTried)) return undefined;
    const isTrial = !isClosed;
    isTried ||= isTrial;
    return (outcome) => {
      if (isTrial) isTried = false;
      if (outcome === 'answered') failuresInARow = 0;
      if (outcome !== 'failed') return;
      failuresInARow++;
      if (failuresInARow >= limits().failures) openUntilMs = now() + limits().openForMs;
    };
  };
  return { enter };
}
