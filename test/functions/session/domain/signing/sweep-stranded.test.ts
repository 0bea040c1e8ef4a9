import { expect, test } from 'vitest';
import {
  beginDispatch,
  DUE_DISPATCHES,
  dispatches,
} from '../../../../../functions/session/domain/signing/dispatch.ts';
import { sweepStranded } from '../../../../../functions/session/domain/signing/sweep-stranded.ts';
import { dueItems } from '../../../../../shared/store/due/items.ts';
import { forFile } from '../../../../runner/for-file.ts';
import { sessionStage } from '../../stage.ts';

await forFile(sessionStage());

const CALLER = { application: 'sandbox', keyId: 'key', permissions: [] } as unknown as Parameters<
  typeof beginDispatch
>[0];
const HOUR_AGO_MS = Date.now() - 3_600_000;
const begin = (n: number) =>
  beginDispatch(CALLER, { cpf: '52998224725', correlationId: String(n) }, HOUR_AGO_MS);
const strandedIn = (partitions: readonly string[]) =>
  Array.fromAsync(dueItems(dispatches, { partitions, nowMs: Date.now() }));

// So many that no shard is empty by chance.
const STRANDED = 200;

test('stranded dispatches are in all shards, and one sweep takes them all', async () => {
  await Promise.all(Array.from({ length: STRANDED }, (_, n) => begin(n)));
  const counts = await Promise.all(DUE_DISPATCHES.map(async (each) => (await strandedIn([each])).length));
  expect(Math.min(...counts)).toBeGreaterThan(0);

  expect(await sweepStranded(Date.now, () => false)).toEqual({ canceled: 0, settled: 0, failed: [] });
  expect(await strandedIn(DUE_DISPATCHES)).toHaveLength(STRANDED);

  expect(await sweepStranded(Date.now)).toEqual({ canceled: 0, settled: STRANDED, failed: [] });
  expect(await strandedIn(DUE_DISPATCHES)).toEqual([]);
});
