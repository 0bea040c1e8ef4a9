import { UnsupportedPkcs12 } from './errors.ts';

// Most programs derive with 2,000 rounds. NSS and GnuTLS take 600,000, with Triple DES three times that for each part,
// and GnuTLS makes a part of every certificate: a holder, three authorities, the key and the MAC take 9.6 million.
// That is about four seconds of one core.
const MAX_ROUNDS = 10_000_000;

/** Enough for one such part: where the MAC is wrong, one part tells a wrong password from a damaged file. */
export const MAX_ROUNDS_WITHOUT_MAC = 2_000_000;

/** The rounds of key derivation that one file may ask for, all its parts together. */
export type Budget = { spend(rounds: number): void };

export function newBudget(maxRounds = MAX_ROUNDS): Budget {
  let left = maxRounds;
  return {
    spend(rounds) {
      left -= rounds;
      if (left < 0)
        throw new UnsupportedPkcs12(
          'iterations',
          `it asks for more than ${maxRounds} rounds of key derivation.`,
        );
    },
  };
}
