// FUZZ=1 runs all, and a larger number more than all.
const { FUZZ, FUZZ_SEED = String(Date.now() % 2 ** 31) } = process.env;

// Where each run takes long, fewer than these try next to nothing.
const FEWEST = 5;

/**
 * How many runs a fuzz test has: all of them with FUZZ=1, as every night, and a share of them otherwise. fast-check prints
 * the seed of a run that fails.
 * @example await fc.assert(property, { numRuns: runs(500) });
 */
export const runs = (all: number, share = 1 / 5): number =>
  Math.max(Math.min(all, FEWEST), Math.ceil(all * Number(FUZZ ?? share)));

/** For what is random without fast-check: other values in every run. FUZZ_SEED repeats one. */
export const SEED = Number(FUZZ_SEED);
