import { GetItemCommand } from '@aws-sdk/client-dynamodb';
import { expect, test } from 'vitest';
import { tableName } from '../../../shared/settings/names.ts';
import { dynamo } from '../../../shared/store/client.ts';
import { hit, hitInBlocks } from '../../../shared/store/rate-window.ts';
import { requestsOf } from './requests.ts';

const MINUTE_START_MS = Date.UTC(2026, 10, 14, 2, 5);
const at = (seconds: number) => () => MINUTE_START_MS + seconds * 1000;
const rule = () =>
  ({ service: 'sandbox', policy: 'sign', client: crypto.randomUUID(), limit: 3, windowSeconds: 60 }) as const;

test('calls up to the limit are allowed, the next is refused with the time until the window ends', async () => {
  const sign = rule();
  for (let i = 0; i < 3; i++) {
    expect(await hit({ ...sign, now: at(10 + i) })).toEqual({ allowed: true, retryAfterSeconds: 0 });
  }
  expect(await hit({ ...sign, now: at(13.2) })).toEqual({ allowed: false, retryAfterSeconds: 47 });
});

test('a new window begins with the whole allowance', async () => {
  const sign = { ...rule(), limit: 1 };
  await hit({ ...sign, now: at(59) });
  expect((await hit({ ...sign, now: at(59.9) })).allowed).toBe(false);
  expect((await hit({ ...sign, now: at(60) })).allowed).toBe(true);
});

test('of 50 calls at once exactly the limit is allowed', async () => {
  const sign = { ...rule(), limit: 20 };
  const answers = await Promise.all(Array.from({ length: 50 }, () => hit({ ...sign, now: at(1) })));
  expect(answers.filter(({ allowed }) => allowed)).toHaveLength(20);
});

test('clients and policies do not share an allowance', async () => {
  const sign = { ...rule(), limit: 1, now: at(1) };
  await hit(sign);
  expect((await hit(sign)).allowed).toBe(false);
  expect((await hit({ ...sign, policy: 'open' })).allowed).toBe(true);
  expect((await hit({ ...sign, client: crypto.randomUUID() })).allowed).toBe(true);
});

test('a client that keeps calling a full window costs no more writes', async () => {
  const sign = { ...rule(), limit: 1, now: at(1) };
  const sent = await requestsOf(async () => {
    for (let i = 0; i < 20; i++) await hit(sign);
  });
  // The process knows by its own count that the second call is over the limit.
  expect(sent).toEqual({ UpdateItem: 1 });
});

test('a limit that is raised takes effect at once', async () => {
  const sign = { ...rule(), limit: 1, now: at(1) };
  await hit(sign);
  expect((await hit(sign)).allowed).toBe(false);
  expect((await hit({ ...sign, limit: 5 })).allowed).toBe(true);
});

test('a window is garbage once the next one is over', async () => {
  const sign = rule();
  await hit({ ...sign, now: at(5) });
  const Key = { pk: { S: `RATE#sign#${sign.client}` }, sk: { S: `60#${MINUTE_START_MS / 1000}` } };
  const { Item } = await dynamo().send(new GetItemCommand({ TableName: tableName('sandbox'), Key }));
  expect(Number(Item?.ttl?.N)).toBe(MINUTE_START_MS / 1000 + 120);
});

test('in blocks, a quiet caller costs no call of the store and a busy one few', async () => {
  const busy = { ...rule(), limit: 100, now: at(5) };
  expect(await requestsOf(async () => hitInBlocks(busy))).toEqual({});
  const sent = await requestsOf(async () => {
    for (let n = 0; n < 50; n++) expect((await hitInBlocks(busy)).allowed).toBe(true);
  });
  expect(sent).toEqual({ UpdateItem: 10 });
});

test('in blocks, the limit holds over all instances but for a block of each', async () => {
  const busy = { ...rule(), limit: 100, now: at(5) };
  // Other instances have used most of it.
  for (let n = 0; n < 90; n++) await hit({ ...busy, limit: 1_000 });
  let allowed = 0;
  while ((await hitInBlocks(busy)).allowed) allowed += 1;
  expect(allowed).toBe(5 + 10);
  expect(await hitInBlocks(busy)).toEqual({ allowed: false, retryAfterSeconds: 55 });
  expect((await hitInBlocks({ ...busy, now: at(60) })).allowed).toBe(true);
});

//   50 calls at once, when the block of 5 is used up   |--one block--|--one block-- ...   the limit of 100 is not touched
test('in blocks, calls that wait at the same moment take one block after the other, not one each', async () => {
  const busy = { ...rule(), limit: 100, now: at(5) };
  const sent = await requestsOf(async () => {
    const answers = await Promise.all(Array.from({ length: 50 }, () => hitInBlocks(busy)));
    expect(answers.every(({ allowed }) => allowed)).toBe(true);
  });
  expect(sent.UpdateItem).toBeLessThanOrEqual(10);
});

test('in blocks, a call does not wait for the store while a part of the block is left', async () => {
  const busy = { ...rule(), limit: 100, now: at(5) };
  const answered = Promise.withResolvers<void>();
  dynamo().middlewareStack.add(
    (next) => async (args) => {
      await answered.promise;
      return next(args);
    },
    { step: 'initialize', name: 'slow' },
  );
  for (let n = 0; n < 5; n++) expect((await hitInBlocks(busy)).allowed).toBe(true);
  const sixth = hitInBlocks(busy);
  answered.resolve();
  expect((await sixth).allowed).toBe(true);
  dynamo().middlewareStack.remove('slow');
});
