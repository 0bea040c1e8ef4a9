import { expect, test } from 'vitest';
import { audit } from '../../../../functions/session/domain/audit.ts';
import { type Dispatch, dispatches } from '../../../../functions/session/domain/signing/dispatch.ts';
import { dynamo } from '../../../../shared/store/client.ts';
import type { Stored } from '../../../../shared/store/collection.ts';
import type { ItemWrite } from '../../../../shared/store/write.ts';
import { countCalls } from '../../../measure/calls.ts';
import { forFile } from '../../../runner/for-file.ts';
import { ownStores } from '../../own-stores.ts';
import { recentAuditEntries } from '../audit-entries.ts';
import { captureLog } from '../captured-log.ts';

await forFile(ownStores());

const OF_CALL = { caller: { application: 'acme', keyId: 'k1' }, correlationId: 'c-1' };

const subjectOf = (cpf: string) =>
  ({
    ...OF_CALL,
    operation: 'signature.batch',
    cpf,
  }) as const;

async function outcomesOf(cpf: string): Promise<string[]> {
  const outcomes: string[] = [];
  for await (const entry of recentAuditEntries()) if (entry.cpf === cpf) outcomes.push(entry.outcome);
  return outcomes;
}

const begin = (count: number): Promise<Stored<Dispatch>[]> =>
  Promise.all(
    Array.from({ length: count }, () =>
      dispatches.create({ id: crypto.randomUUID(), cpf: '1', ...OF_CALL, begunAtMs: Date.now() }),
    ),
  );
const left = async (begun: readonly Stored<Dispatch>[]) =>
  (await dispatches.getMany(begun.map(({ id }) => id))).length;

const closeAll = (cpf: string, begun: readonly Stored<Dispatch>[]) =>
  audit(subjectOf(cpf), Date.now, async ({ addWrite }) => {
    for (const dispatch of begun) addWrite(dispatches.deleting(dispatch));
  });

test('the entry of a call and the writes that end it are one transaction', async () => {
  const begun = await begin(10);
  const { byCommand } = await countCalls(() => closeAll('one', begun));
  expect(byCommand).toEqual({ TransactWriteItems: 1 });
  expect([await left(begun), await outcomesOf('one')]).toEqual([0, ['ok']]);
});

//   call      |--begins 3 dispatches---------------- ends: refused, each by itself --|
//   sweeper        |--deletes one of them--|
test('a write that another was faster with keeps neither the entry nor the other writes from being written', async () => {
  const begun = await begin(3);
  if (begun[1]) await dispatches.delete(begun[1]);
  await closeAll('raced', begun);
  expect([await left(begun), await outcomesOf('raced')]).toEqual([0, ['ok']]);
});

test('more writes than a transaction takes are all written', async () => {
  const begun = await begin(105);
  await closeAll('many', begun);
  expect([await left(begun), await outcomesOf('many')]).toEqual([0, ['ok']]);
});

test('a call that is refused ends with its writes too', async () => {
  const begun = await begin(1);
  const refused = audit(subjectOf('refused'), Date.now, async ({ addWrite }) => {
    for (const dispatch of begun) addWrite(dispatches.deleting(dispatch));
    throw new Error('It failed.');
  });
  await expect(refused).rejects.toThrow('It failed.');
  expect([await left(begun), await outcomesOf('refused')]).toEqual([0, ['INTERNAL_ERROR']]);
});

test('what a call has achieved is written with its entry, and without it where the two are refused together', async () => {
  const [dispatch] = await begin(1);
  if (!dispatch) throw new Error('It was begun.');
  const commitOnce = (cpf: string) =>
    audit(subjectOf(cpf), Date.now, ({ commit }) => commit([dispatches.changing(dispatch, { cpf })]));
  expect((await countCalls(() => commitOnce('achieved'))).byCommand).toEqual({ TransactWriteItems: 1 });
  expect(await outcomesOf('achieved')).toEqual(['ok']);
  await expect(commitOnce('lost')).rejects.toThrow('changed by another writer first');
  expect(await outcomesOf('lost')).toEqual(['INTERNAL_ERROR']);
});

test('an entry that cannot be written is logged, and the call goes on', async () => {
  dynamo().middlewareStack.add(
    () => async () => {
      throw new Error('The table is away.');
    },
    { step: 'initialize', name: 'away' },
  );
  const log = captureLog();
  await closeAll('away', []).finally(() => dynamo().middlewareStack.remove('away'));
  log.restore();
  expect(log.text()).toContain('An audit entry was not kept.');
  expect(log.text()).not.toContain('"cpf"');
});

//   call   |--begins--signs------------ ends: refused, as the session is gone: the answer first, then the rest --|
test('the answer that a repeat gets is written before what makes the call end, or nothing is', async () => {
  const [done, gone] = await begin(2);
  if (!done || !gone) throw new Error('Nothing was begun.');
  await dispatches.delete(gone);
  const kept = dispatches.creating({ id: crypto.randomUUID(), cpf: '1', ...OF_CALL, begunAtMs: Date.now() });
  const end = (first: ItemWrite) =>
    audit(subjectOf('repeated'), Date.now, async ({ addWrite, addFirst }) => {
      addWrite(dispatches.deleting(done));
      addWrite(dispatches.deleting(gone));
      addFirst([first]);
    });
  const log = captureLog();
  await end({ ...kept, item: { Put: { TableName: 'no-such-table', Item: {} } } });
  log.restore();
  expect(await left([done])).toBe(1);
  await end(kept);
  expect([await left([done]), await left([kept.after])]).toEqual([0, 1]);
});
