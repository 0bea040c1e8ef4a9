import type { Counts } from '../../../../shared/embedded/tables/strict.ts';
import { runTasks } from '../../../functions/documents/stage/run-tasks.ts';
import type { Figure } from '../../measure/figures.ts';
import { countListed, createOne, miscounted, newTarget } from './documents.ts';
import { attemptsPerTransaction, keepInFlight, type Load, settled } from './load.ts';
import { startSessionServer } from './sessions.ts';
import { type StrictStores, startStrictStores } from './strict-stores.ts';

// Run by soak.ts in a process of its own, which is that of the functions.
//
// What 100 documents a second into one organization ask of the store, on stores that cancel transactions that meet.
// A machine that makes fewer has as many transactions in progress at once, because each has its items longer:
//
//   100/s  20 ms   |--|--|--|--|          the same overlap
//    25/s  80 ms   |-----------|-------

const DOCUMENTS_PER_SECOND = 100;
const HOLD_MS = 20;
const IN_FLIGHT = 24;
const SECONDS = 60;
const WARM_UP_SECONDS = 5;
const BATCH = 50;
const BATCHES_AT_ONCE = 3;

async function measure(): Promise<Figure[]> {
  const stores = await startStrictStores();
  try {
    return [
      ...(await creationFigures(stores, 0)),
      ...(await creationFigures(stores, 10)),
      ...(await batchFigures(stores)),
    ];
  } finally {
    await stores.stop();
  }
}

const lasting = (seconds: number): (() => boolean) => {
  const endsAt = performance.now() + seconds * 1000;
  return () => performance.now() >= endsAt;
};

// More would outlast the pauses between attempts, which are made for 20 ms.
const MAX_STRETCH = 5;

/**
 * As long as a transaction must have its items, so that as many overlap as at the promised rate, on a machine that makes
 * so many a second where none waits.
 */
const stretched = (perSecond: number): number =>
  HOLD_MS * Math.min(MAX_STRETCH, Math.max(1, DOCUMENTS_PER_SECOND / perSecond));

async function creationFigures(stores: StrictStores, folders: number): Promise<Figure[]> {
  const target = await newTarget(folders);
  const create = (n: number) => createOne(target, n);
  stores.hold(0);
  const warm = await keepInFlight(IN_FLIGHT, create, lasting(WARM_UP_SECONDS));
  const holdMs = stretched(warm.done / warm.seconds);
  const before = stores.hold(holdMs);
  const load = await keepInFlight(IN_FLIGHT, create, lasting(SECONDS));
  const after = stores.hold(0);
  const wrong = await settled(() => miscounted(target));
  const where = folders === 0 ? 'one organization' : `${folders} folders of one organization`;
  return rowsOf(`creations in ${where}`, load, holdMs, wrong, before, after);
}

/** Batches at the session server: each document is created, signed and concluded. */
async function batchFigures(stores: StrictStores): Promise<Figure[]> {
  const target = await newTarget(0);
  const server = await startSessionServer(target);
  try {
    let unsigned = 0;
    const sign = async (): Promise<number> => {
      unsigned += await server.signBatch(BATCH);
      return 200;
    };
    stores.hold(0);
    const warm = await keepInFlight(BATCHES_AT_ONCE, sign, (started) => started >= BATCHES_AT_ONCE);
    const holdMs = stretched((warm.done * BATCH) / warm.seconds);
    const before = stores.hold(holdMs);
    const batches = await keepInFlight(BATCHES_AT_ONCE, sign, lasting(SECONDS));
    const tasks = await runTasks().catch((error: Error) => error.message);
    const after = stores.hold(0);
    const signed = (warm.done + batches.done) * BATCH - unsigned;
    const wrong = await settled(async () => {
      const concluded = await countListed(target, { status: 'Concluded' });
      return Math.abs(concluded - signed) + (await countListed(target, { status: 'Refused' }));
    });
    const failures = [
      ...Array.from({ length: unsigned }, () => 'ERROR'),
      ...(typeof tasks === 'string' ? [tasks] : []),
    ];
    const load = { done: batches.done * BATCH, failures, seconds: batches.seconds };
    return rowsOf(`session batches of ${BATCH}`, load, holdMs, wrong, before, after);
  } finally {
    server.stop();
  }
}

function rowsOf(
  name: string,
  { done, failures, seconds }: Load,
  holdMs: number,
  wrong: number,
  before: Counts,
  after: Counts,
): Figure[] {
  const rate = done / seconds;
  const overlap = (rate * holdMs) / HOLD_MS;
  const kinds = [...new Set(failures)].join(', ');
  return [
    {
      name: `${name} on stores that cancel: attempts a transaction`,
      ratio: attemptsPerTransaction(before, after),
      promised: { atMost: 1.3 },
      detail: `${done} documents, ${rate.toFixed(0)}/s; a transaction has its items for ${holdMs.toFixed(0)} ms, so that they overlap as at ${overlap.toFixed(0)}/s`,
    },
    {
      name: `${name}: failed calls, and by how much the lists are wrong`,
      ratio: failures.length + wrong,
      promised: { atMost: 0 },
      detail: `${failures.length} failed${kinds && ` (${kinds})`}, lists wrong by ${wrong}`,
    },
  ];
}

process.send?.(await measure(), () => process.exit(0));
