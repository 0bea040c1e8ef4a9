import type { Calls } from '../../measure/calls.ts';

/**
 * List prices in dollars per million, without free tiers, as they have been since DynamoDB's on-demand prices were halved
 * in November 2024. Nobody has compared them with the price list since: do so before you rely on them.
 */
const PRICES = {
  'us-east-1': {
    read: 0.125,
    write: 0.625,
    filePut: 5,
    fileGet: 0.4,
    message: 0.4,
    run: 0.2,
    gbSecond: 16.67,
  },
  'sa-east-1': {
    read: 0.1875,
    write: 0.9375,
    filePut: 7,
    fileGet: 0.56,
    message: 0.4,
    run: 0.2,
    gbSecond: 16.67,
  },
} as const;

export type Region = keyof typeof PRICES;
export const REGIONS = Object.keys(PRICES) as Region[];

const MILLION = 1_000_000;

type Bill = Partial<Record<keyof (typeof PRICES)[Region], number>>;

const priceOf = (bill: Bill, region: Region): number =>
  Object.entries(bill).reduce(
    (sum, [kind, count]) => sum + (count * PRICES[region][kind as keyof Bill]) / MILLION,
    0,
  );

const PUTS = ['PutObject', 'CopyObject', 'ListObjectsV2'];
const GETS = ['GetObject', 'HeadObject'];
const WRITES = ['PutItem', 'UpdateItem', 'DeleteItem'];
const READS = ['GetItem', 'Query'];
const SENDS = ['SendMessageBatch'];

// A message is sent, received and deleted.
const REQUESTS_PER_MESSAGE = 3;

/** What calls are billed as. An item counts as one unit of its kind, and as two in a transaction. Deletions of files are free. */
function billOf({ byCommand, items, keys }: Calls): Bill {
  const sum = (commands: readonly string[]): number =>
    commands.reduce((total, command) => total + (byCommand[command] ?? 0), 0);
  return {
    read: sum(READS) + keys,
    write: sum(WRITES) + 2 * items,
    filePut: sum(PUTS),
    fileGet: sum(GETS),
    message: REQUESTS_PER_MESSAGE * sum(SENDS),
  };
}

/** The price of a thousand such operations, in dollars. */
export const costOf = (calls: Calls, region: Region): number => 1_000 * priceOf(billOf(calls), region);

/** A minute in which nobody calls. */
export type IdleMinute = {
  readonly runs: number;
  readonly storeCalls: number;
  readonly reads: number;
  readonly writes: number;
  /** Queues that start functions. */
  readonly queues: number;
};

const MINUTES_PER_MONTH = 43_800;
// Lambda keeps five pollers a queue, and each waits 20 seconds for a message.
const POLLS_PER_MINUTE = 15;
// A tenth of a second in a function of 1 GB.
const GB_SECONDS_PER_RUN = 0.1;

/** The price of a month of such minutes, in dollars. */
export const idleCostOf = ({ runs, reads, writes, queues }: IdleMinute, region: Region): number =>
  MINUTES_PER_MONTH *
  priceOf(
    {
      ...{ run: runs, gbSecond: GB_SECONDS_PER_RUN * runs, read: reads, write: writes },
      message: POLLS_PER_MINUTE * queues,
    },
    region,
  );
