export type Places = {
  /** Waits for a place, as long as is said. Whoever got one gives it back. */
  take(withinMs: number): Promise<boolean>;
  giveBack(): void;
};

/** A bounded number of places, handed on in the order of asking. */
export function places(most: () => number): Places {
  let taken = 0;
  const waiting = new Set<() => void>();

  return {
    take(withinMs) {
      if (taken < most()) {
        taken++;
        return Promise.resolve(true);
      }
      return new Promise((resolve) => {
        const end = (got: boolean): void => {
          waiting.delete(gotIt);
          clearTimeout(tooLate);
          resolve(got);
        };
        const gotIt = (): void => end(true);
        const tooLate = setTimeout(() => end(false), withinMs);
        waiting.add(gotIt);
      });
    },
    giveBack() {
      const [next] = waiting;
      // The place goes from one to the next and is never free in between.
      if (next) next();
      else taken--;
    },
  };
}
