import { formatReais } from './figures.ts';
import type { Payment } from './payments.ts';
import { POSITIONS } from './positions.ts';
import { type FileRecord, fieldOf } from './record.ts';

/** Lots whose trailer states another sum than that of their payments: how many there are, and the first. */
export type LotSumDifferences = {
  readonly count: number;
  readonly lot: string;
  /** Null where the field is no number. */
  readonly stated: string | null;
  readonly found: string;
};

/**
 * Compares the sum in each lot trailer with the payments of the lot. Programs write the sum of all details or that of the
 * inclusions, so that either is right. The bank is told of it by nobody else: it takes each payment as it is.
 * @example const sums = createLotSums(); sums.add(payment); sums.end(trailer); sums.differences()
 */
export function createLotSums() {
  const none = { included: 0n, all: 0n };
  let sums = none;
  let differences: LotSumDifferences | undefined;

  return {
    add: ({ included, centavos }: Payment): void => {
      sums = { included: sums.included + (included ? centavos : 0n), all: sums.all + centavos };
    },
    end: (trailer: FileRecord): void => {
      const { included, all } = sums;
      sums = none;
      const text = fieldOf(trailer, POSITIONS.lotTrailer.valueSum);
      const stated = /^[0-9]{18}$/.test(text) ? BigInt(text) : null;
      if (stated === included || stated === all) return;
      differences = {
        lot: fieldOf(trailer, POSITIONS.everyRecord.lot),
        stated: stated === null ? null : formatReais(stated),
        found: formatReais(included),
        ...differences,
        count: (differences?.count ?? 0) + 1,
      };
    },
    differences: (): LotSumDifferences | undefined => differences,
  };
}
