import type {
  DeleteItemCommandInput,
  PutItemCommandInput,
  TransactWriteItem,
  TransactWriteItemsCommandInput,
} from '@aws-sdk/client-dynamodb';
import { jobList } from '../../../functions/batch/jobs/domain/job/list.ts';
import { runPipeline } from '../../../functions/batch/pipeline/domain/run-pipeline.ts';
import { forEachConcurrently } from '../../../shared/async/for-each-concurrently.ts';
import { holdAsAws } from '../../../shared/embedded/tables/strict.ts';
import { dynamo } from '../../../shared/store/client.ts';
import type { Figure } from '../measure/figures.ts';
import { rawPdf } from '../measure/raw-pdf.ts';
import { startWorld } from './parts/world.ts';

const WORKERS = 32;
const FILES = 1_000;
const FILE_BYTES = 10 * 1024;
const UPLOADS_AT_ONCE = 8;
const FILES_A_SECOND = 250;
const WRITES_A_SECOND = 300;
const HOTTEST = 5;

/**
 * Many batch workers on stores that behave like AWS: transactions that meet are cancelled, and partition keys are
 * throttled. The files that did not come through, and what the busiest partition key would take at a higher rate.
 */
export async function figures(): Promise<Figure[]> {
  Object.assign(process.env, { Log__Level: 'ERROR', Pipeline__MaxConcurrency: String(WORKERS) });
  const { upload, worker, stores, stop } = await startWorld({ strict: { hold: holdAsAws } });
  try {
    const content = rawPdf(FILE_BYTES);
    const writes = countWrites();
    const ids: string[] = [];
    await forEachConcurrently(UPLOADS_AT_ONCE, Array.from({ length: FILES }), async () => {
      ids.push((await upload(content)).id);
    });
    // Each job wakes a worker. The last look is that of a tick.
    await forEachConcurrently(WORKERS, ids, async (id) => {
      await runPipeline(worker, id);
    });
    await runPipeline(worker);
    const { total: completed } = await jobList({ state: 'Completed' }).page({ page: 1, pageSize: 1 });
    const { transactions } = stores.tables.counts;
    const hottest = [...writes]
      .map(([key, count]) => ({ key, aSecond: (count / FILES) * FILES_A_SECOND }))
      .toSorted((a, b) => b.aSecond - a.aSecond)
      .slice(0, HOTTEST);
    return [
      {
        name: `batch, ${FILES} files and ${WORKERS} workers on stores that cancel and throttle as AWS does: not Completed`,
        ratio: FILES - completed,
        promised: { atMost: 0 },
        detail: `${transactions.tried} transactions, ${transactions.conflicts} of them met another and ${transactions.throttled} a throttled key`,
      },
      {
        name: `the busiest partition key at ${FILES_A_SECOND} files a second, against ${WRITES_A_SECOND} writes a second`,
        ratio: (hottest[0]?.aSecond ?? 0) / WRITES_A_SECOND,
        promised: { atMost: 1 },
        detail: hottest.map(({ key, aSecond }) => `${key} ${aSecond.toFixed(0)}`).join(', '),
      },
    ];
  } finally {
    await stop();
  }
}

type Input = Partial<PutItemCommandInput & DeleteItemCommandInput & TransactWriteItemsCommandInput>;

/** Counts the items written from now on by their partition key. Those that are tried again count again. */
function countWrites(): ReadonlyMap<string, number> {
  const byKey = new Map<string, number>();
  dynamo().middlewareStack.add(
    (next, { commandName = '' }) =>
      (args) => {
        for (const key of keysOf(commandName, args.input as Input)) byKey.set(key, (byKey.get(key) ?? 0) + 1);
        return next(args);
      },
    { step: 'initialize', name: 'count writes' },
  );
  return byKey;
}

function keysOf(command: string, { Item, Key, TransactItems = [] }: Input): string[] {
  if (/^(?:Put|Update|Delete)Item/.test(command)) return [(Item ?? Key)?.pk?.S ?? ''];
  return /^TransactWrite/.test(command) ? TransactItems.flatMap(keyOf) : [];
}

function keyOf({ Put, Update, Delete }: TransactWriteItem): string[] {
  const key = Put?.Item ?? (Update ?? Delete)?.Key;
  return key ? [key.pk?.S ?? ''] : [];
}
