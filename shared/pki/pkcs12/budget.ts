import { UnsupportedPkcs12 } from './errors.ts';

// Most programs derive with 2,000 rounds. NSS takes 600,000, and with Triple DES seven times that: about two seconds of one core.
const MOST_ROUNDS = 5_000_000;

/** How much derivation one file may ask for, all its parts together. */
export type Budget = { spend(rounds: number): void };

export function newBudget(): Budget {
  let left = MOST_ROUNDS;
  return {
    spend(rounds) {
      left -= rounds;
      if (left < 0)
        throw new UnsupportedPkcs12(
          'iterations',
          `it asks for more than ${MOST_ROUNDS} rounds of key derivation.`,
        );
    },
  };
}
