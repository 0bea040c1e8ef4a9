import { type Sentence, say } from '../../../sentences/sentences.ts';
import { formatReais, type LotSumDifferences } from './figures.ts';
import type { Payment } from './payments.ts';
import { POSITIONS } from './positions.ts';
import { type FileRecord, fieldOf } from './record.ts';

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

/** What differs in the first of these lots, and how many there are. */
export function describeLotSums({ count, lot, stated, found }: LotSumDifferences): Sentence {
  const first =
    stated === null
      ? say('job.lot-sum-unreadable', { lot, found })
      : say('job.lot-sum-differs', { lot, stated, found });
  return count === 1 ? first : say('job.lot-sums-differ', { count, first });
}
