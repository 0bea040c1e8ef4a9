import { expect, test } from 'vitest';
import { auditOf, recordAudit } from '../../../../functions/session/domain/audit.ts';
import { forFile } from '../../../runner/for-file.ts';
import { requestsOf } from '../../../shared/store/requests.ts';
import { ownStores } from '../../own-stores.ts';

await forFile(ownStores());

const DAY = '2026-11-15';
const DAY_MS = Date.parse(DAY);
const subject = (correlationId: string) =>
  ({
    caller: { application: 'sandbox', keyId: 'key' },
    correlationId,
    operation: 'session.create',
    cpf: '52998224725',
  }) as const;

/** An entry that each number of the day has: the order of writing is another. */
const record = (n: number) => recordAudit(subject(String(n)), { documents: [] }, DAY_MS + n * 1_000);

test('the entries of a day come in the order of time, whatever shard holds them', async () => {
  const numbers = Array.from({ length: 1_200 }, (_, n) => (n * 77) % 1_200);
  for (let from = 0; from < numbers.length; from += 50)
    await Promise.all(numbers.slice(from, from + 50).map(record));

  const found = (await Array.fromAsync(auditOf(DAY, DAY_MS))).map(({ correlationId }) =>
    Number(correlationId),
  );
  expect(found).toHaveLength(1_200);
  expect(found).toEqual(found.toSorted((a, b) => a - b));
});

test('a reader that stops early has read no more than the first page of each shard', async () => {
  const requests = await requestsOf(async () => {
    for await (const { correlationId } of auditOf(DAY, DAY_MS)) if (correlationId === '100') break;
  });
  expect(requests).toEqual({ Query: 8 });
});
