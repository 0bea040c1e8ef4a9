import { describe, expect, test } from 'vitest';
import { getBoth } from '../../../shared/store/collection.ts';
import { commit } from '../../../shared/store/commit.ts';
import type { Condition } from '../../../shared/store/item.ts';
import { keyedItems } from '../../../shared/store/keyed-items.ts';
import { jobs, newJob } from './jobs.ts';
import { requestsOf } from './requests.ts';

type Seat = {
  readonly holder?: string | null;
  readonly holders?: number;
  /** A reserved word of DynamoDB. */
  readonly count?: number;
  readonly isActive?: boolean;
};

const seats = keyedItems<Seat, string>({
  service: 'sandbox',
  key: (id) => ({ pk: `SEAT#${id}`, sk: 'SEAT' }),
});

const newId = () => crypto.randomUUID();
const get = async (id: string) => (await seats.getMany([id]))[0];
const put = async (seat: Seat) => {
  const id = newId();
  await commit([seats.putting(id, seat)]);
  return id;
};

class Taken extends Error {}
const onlyWhen = (when: Condition<Seat>) => ({ when, refusal: () => new Taken('Taken.') });

describe('a put', () => {
  test('creates or replaces the whole item, without a field that is undefined', async () => {
    const id = await put({ holder: 'ana', count: 1 });
    await commit([seats.putting(id, { holder: 'bia', count: undefined })]);
    expect(await get(id)).toStrictEqual({ holder: 'bia' });
  });

  // writer 1..20  |--put unless there--|   one finds nothing, the others find the winner's
  test('of 20 writers that put unless there is one, one wins and the others have the refusal', async () => {
    const id = newId();
    const holders = Array.from({ length: 20 }, (_, n) => `writer ${n}`);
    const outcomes = await Promise.allSettled(
      holders.map((holder) => commit([seats.putting(id, { holder }, onlyWhen('no item'))])),
    );
    const won = holders.filter((_, n) => outcomes[n]?.status === 'fulfilled');
    expect(won).toEqual([(await get(id))?.holder]);
    for (const outcome of outcomes)
      if (outcome.status === 'rejected') expect(outcome.reason).toBeInstanceOf(Taken);
  });

  test('that is refused in a commit undoes the other writes, and the refusal is its own', async () => {
    const [id, job] = [await put({ holder: 'ana' }), newJob()];
    const write = seats.putting(id, { holder: 'bia' }, onlyWhen('no item'));
    await expect(commit([jobs.creating(job), write])).rejects.toThrow(Taken);
    expect([await jobs.get(job.id), await get(id)]).toEqual([undefined, { holder: 'ana' }]);
  });
});

const CONDITIONS: readonly (readonly [
  string,
  Condition<Seat>,
  met: readonly Seat[],
  unmet: readonly (Seat | undefined)[],
])[] = [
  ['a value', { holder: 'ana' }, [{ holder: 'ana' }], [{ holder: 'bia' }, { holder: null }, {}, undefined]],
  [
    'several fields',
    { holder: 'ana', isActive: false },
    [{ holder: 'ana', isActive: false }],
    [{ holder: 'ana', isActive: true }, { isActive: false }],
  ],
  ['null', { holder: null }, [{ holder: null }], [{ holder: 'ana' }, {}]],
  ['an absent field', { holder: undefined }, [{}, { count: 1 }], [{ holder: 'ana' }, { holder: null }]],
  [
    'another value',
    { holder: { not: 'ana' } },
    [{ holder: 'bia' }, { holder: null }, {}],
    [{ holder: 'ana' }],
  ],
  ['at most', { count: { atMost: 2 } }, [{ count: 2 }, { count: -1 }], [{ count: 3 }, {}]],
  ['below', { count: { below: 2 } }, [{ count: 1 }], [{ count: 2 }, {}]],
  ['above', { count: { above: 2 } }, [{ count: 3 }], [{ count: 2 }, {}]],
  [
    'any of a field',
    { count: { anyOf: [undefined, { atMost: 0 }, 7] } },
    [{}, { count: 0 }, { count: 7 }],
    [{ count: 1 }],
  ],
  [
    'any of a field, beside another',
    { count: { anyOf: [1, 2] }, holder: 'ana' },
    [{ count: 2, holder: 'ana' }],
    [{ count: 2 }, { count: 3, holder: 'ana' }],
  ],
  [
    'any of several',
    { anyOf: ['no item', { isActive: false, count: 1 }, { holder: 'ana' }] },
    [{ isActive: false, count: 1 }, { holder: 'ana' }],
    [{ isActive: false }, {}],
  ],
];

describe.each(CONDITIONS)('the condition "%s"', (_, when, met, unmet) => {
  test.each(met)('is met by %j', async (seat) => {
    const id = await put(seat);
    await commit([seats.removing(id, onlyWhen(when))]);
    expect(await get(id)).toBeUndefined();
  });

  test.each(unmet.map((seat) => [seat]))('is not met by %j', async (seat) => {
    const id = seat ? await put(seat) : newId();
    await expect(commit([seats.removing(id, onlyWhen(when))])).rejects.toThrow(Taken);
    expect(await get(id)).toEqual(seat);
  });
});

test('the condition "any of several" with "no item" is met where there is none', async () => {
  const id = newId();
  await commit([seats.putting(id, { holder: 'ana' }, onlyWhen({ anyOf: ['no item', { isActive: false }] }))]);
  expect(await get(id)).toEqual({ holder: 'ana' });
});

describe('an addition', () => {
  const whileNone = onlyWhen({ holders: { anyOf: [undefined, { atMost: 0 }] } });

  test('creates the counts, and adds to them without loss under many writers', async () => {
    const id = newId();
    await Promise.all(
      Array.from({ length: 20 }, () => commit([seats.adding(id, { holders: 1, count: -2 })])),
    );
    expect(await get(id)).toEqual({ holders: 20, count: -40 });
  });

  test('leaves the other fields of the item', async () => {
    const id = await put({ holder: 'ana', count: 1 });
    await commit([seats.adding(id, { count: 1 })]);
    expect(await get(id)).toEqual({ holder: 'ana', count: 2 });
  });

  // writer 1..20  |--add 1 while there is none--|   one finds none, the others one
  test('of 20 writers that add while the count is zero, one wins; after it is taken back, another', async () => {
    const id = newId();
    const takeOne = () => commit([seats.adding(id, { holders: 1 }, whileNone)]);
    const outcomes = await Promise.allSettled(Array.from({ length: 20 }, takeOne));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    await expect(takeOne()).rejects.toThrow(Taken);
    await commit([seats.adding(id, { holders: -1 })]);
    await takeOne();
    expect(await get(id)).toEqual({ holders: 1 });
  });
});

describe('a patch', () => {
  test('sets fields, removes those that are undefined and leaves the others', async () => {
    const id = await put({ holder: 'ana', count: 1, isActive: true });
    await commit([seats.patching(id, { count: 2, isActive: undefined }, onlyWhen({ holder: 'ana' }))]);
    expect(await get(id)).toStrictEqual({ holder: 'ana', count: 2 });
    await expect(commit([seats.patching(id, { count: 3 }, onlyWhen({ holder: 'bia' }))])).rejects.toThrow(
      Taken,
    );
  });

  test('creates the item where there is none, unless its guard excludes that', async () => {
    const [made, none] = [newId(), newId()];
    await commit([seats.patching(made, { count: 1 })]);
    expect(await get(made)).toEqual({ count: 1 });
    await expect(commit([seats.patching(none, { count: 1 }, onlyWhen({ holder: 'ana' }))])).rejects.toThrow(
      Taken,
    );
    expect(await get(none)).toBeUndefined();
  });

  test('that is sent at once answers the whole item: of many at once each sees those before it', async () => {
    const notes = keyedItems<Record<string, number>, string>(seats);
    const id = newId();
    const seen = await Promise.all(
      Array.from({ length: 10 }, (_, n) => notes.patch(id, { [`note:${n}`]: n })),
    );
    expect(seen.map((item) => Object.keys(item).length).toSorted((a, b) => a - b)).toEqual([
      1, 2, 3, 4, 5, 6, 7, 8, 9, 10,
    ]);
  });
});

describe('reads', () => {
  test('many come in the order of the ids, in one request, undefined where there is none', async () => {
    const [a, b, none] = [await put({ holder: 'ana' }), await put({ holder: 'bia' }), newId()];
    const sent = await requestsOf(async () =>
      expect(await seats.getMany([b, none, a, b])).toEqual([
        { holder: 'bia' },
        undefined,
        { holder: 'ana' },
        { holder: 'bia' },
      ]),
    );
    expect(sent).toEqual({ BatchGetItem: 1 });
  });

  test('one comes together with an item of a collection', async () => {
    const [seat, job] = [await put({ holder: 'ana' }), await jobs.create(newJob())];
    expect(await getBoth([seats, seat], [jobs, job.id])).toEqual([{ holder: 'ana' }, job]);
  });
});

test('removing without a guard is no error where there is no item', async () => {
  await commit([seats.removing(newId())]);
});

test('one write alone is a plain one, at half the price of a transaction', async () => {
  const id = newId();
  const sent = await requestsOf(async () => {
    await commit([seats.putting(id, { holder: 'ana' }, onlyWhen('no item'))]);
    await commit([seats.adding(id, { count: 1 })]);
    await commit([seats.removing(id, onlyWhen({ count: 1 }))]);
  });
  expect(sent).toEqual({ PutItem: 1, UpdateItem: 1, DeleteItem: 1 });
});
