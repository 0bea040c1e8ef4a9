import type { LotSumDifferences } from '../jobs/domain/cnab240/lot-sums.ts';
import { type Sentence, say } from './sentences.ts';

/** What differs in the first of these lots, and how many there are. */
export function describeLotSums({ count, lot, stated, found }: LotSumDifferences): Sentence {
  const first =
    stated === null
      ? say('job.lot-sum-unreadable', { lot, found })
      : say('job.lot-sum-differs', { lot, stated, found });
  return count === 1 ? first : say('job.lot-sums-differ', { count, first });
}
