import { retry } from '../../async/retry.ts';
import { logger } from '../../log/logger.ts';
import { type ServiceName, tableName } from '../../settings/names.ts';
import { shardOf } from '../shards.ts';
import type { CountsOf, LedgerWrite } from '../write.ts';
import { foldShard } from './fold.ts';
import { FoldedMeanwhile, type NodeCounts, nodeReader } from './nodes.ts';
import { readShard, type ShardKey } from './shard.ts';

export type LedgerOptions = {
  readonly service: ServiceName;
  readonly name: string;
  /**
   * A part of a ledger that several kinds of counts share, all with the same `shards` and `countsOf`. A commit that counts
   * in several parts has one record. Names and nodes of a part begin with its own.
   */
  readonly part?: string | undefined;
  /** Keys for the records. A key takes some 300 records a second: each is written in a transaction, then deleted. */
  readonly shards: number;
  readonly countsOf: CountsOf;
  /** From 0 to 1, drawn after each commit. */
  readonly random?: () => number;
};

/**
 * The counts of one node by field, those above 0. The nodes above it come first, from the top of a path on: they have
 * the counts of a node without an item. A node is read once, however often it is asked for.
 * @example await readNode('', '2026-11', '2026-11-14T02')
 */
export type ReadNode = (...path: readonly string[]) => Promise<NodeCounts>;

/** Between the name of a part and the rest of a name or node. */
export const PART_END = '@';

// A fold is three requests or more. One in 32 keeps the records that a read must sum to some dozens.
const FOLD_CHANCE = 1 / 32;

// A fold takes longer than a read, so a second attempt hardly ever meets another.
const MAX_READS = 6;

/**
 * Counts that never make two writers conflict. A commit adds a record under a random key, and no two transactions write
 * the same item. Now and then a writer folds the records into the counts, after its own commit:
 *
 *   writer 1  |--commit: its items + RECORD#a--|
 *   writer 2     |--commit: its items + RECORD#b--|--fold: HEAD 8 = HEAD 7 + a + b-----|--deletes a, b--|
 *   reader                                         |--HEAD 7 + a + b--|              |--HEAD 8, which names a and b--|
 *
 * A count is what was folded plus the records that were not, so it is exact at any time, with or without folds. The
 * alternatives cost more or count less well: shards for each process still conflict within one that serves several
 * requests, and a change stream counts late and is one more thing to run.
 * @example const usage = ledger({ service: 'documents', name: `usage/${id}`, shards: 4, countsOf });
 *          await documents.create(document, { also: [usage.adding({ Document: 1 }, usage.shardOf(document.id))] });
 *          const counts = await usage.read((readNode) => readNode('2026-11'));
 */
export function ledger({
  service,
  name,
  part,
  shards,
  countsOf,
  // Looked up at each call, so that a test can replace it.
  random = () => Math.random(),
}: LedgerOptions) {
  const keyOf = (shard: number): ShardKey => ({
    table: tableName(service),
    pk: `LEDGER#${name}#${shard}`,
  });
  const prefix = part === undefined ? '' : `${part}${PART_END}`;
  const keys = (): ShardKey[] => Array.from({ length: shards }, (_, shard) => keyOf(shard));

  const foldSometimes = async (key: ShardKey): Promise<void> => {
    if (random() >= FOLD_CHANCE) return;
    try {
      await foldShard(key, countsOf);
    } catch (error) {
      logger(service).warn('A ledger was not folded. Its counts are right; a later commit folds it.', {
        ledger: key.pk,
        error,
      });
    }
  };

  return {
    /** The write that adds to counts, for the commit of the change that it counts. */
    adding(amounts: LedgerWrite['amounts'], shard: number): LedgerWrite {
      const key = keyOf(shard);
      const named = Object.entries(amounts).map(([amount, by]) => [`${prefix}${amount}`, by]);
      return { ...key, amounts: Object.fromEntries(named), countsOf, afterCommit: () => foldSometimes(key) };
    },

    /** The same for counts that only grow. They are in the record that the commit has anyway, if it has one. */
    addingAnywhere(amounts: LedgerWrite['amounts'], shard: number): LedgerWrite {
      return { ...this.adding(amounts, shard), anyOf: keys().map(({ pk }) => pk) };
    },

    /** The shard for changes of one thing. A reader sees them in their order, so none of its counts is negative. */
    shardOf: (id: string): number => shardOf(id, shards),

    /**
     * Answers a question about the counts at one moment. `question` may run again, when a fold came between.
     * The top node, '', costs a query for each shard; that of a part, and every other that has an item, one request more.
     */
    read: <T>(question: (readNode: ReadNode) => Promise<T>): Promise<T> =>
      retry(
        async (attempt) => {
          const found = await Promise.all(keys().map((key) => readShard(key)));
          const readNode = nodeReader(found, countsOf, { isLastAttempt: attempt === MAX_READS });
          return question((...path) => readNode(path.map((node) => `${prefix}${node}`)));
        },
        { maxAttempts: MAX_READS, isRetryable: (error) => error instanceof FoldedMeanwhile },
      ),

    /** Folds all records now. Without it commits do so, by chance. */
    fold: async (): Promise<void> => {
      await Promise.all(keys().map((key) => foldShard(key, countsOf)));
    },
  };
}
