import { expect, test } from 'vitest';
import { contentOf, countTree, type NodeContent } from '../../../../shared/store/ledger/tree.ts';

// The amount a.b.c is counted in the head, in the node a. and in the node a.b.
const countsOf = (name: string) => {
  const [a = '', b, c] = name.split('.');
  return [
    { node: '', field: a, name: a },
    ...(b === undefined ? [] : [{ node: `${a}.`, field: b, name: `${a}.${b}` }]),
    ...(c === undefined ? [] : [{ node: `${a}.${b}.`, field: c, name }]),
  ];
};

/** A shard that is folded as often as wanted. `items` are its nodes. */
function freshShard() {
  const items = new Map<string, NodeContent>([['', contentOf({})]]);
  const fold = async (amounts: Readonly<Record<string, number>>, maxItems = 100) => {
    const tree = countTree(countsOf, async () => items);
    await tree.load(items.get('') ?? contentOf({}), new Set(Object.keys(amounts)));
    for (const [name, amount] of Object.entries(amounts)) tree.add(name, amount);
    const { written, gone } = tree.takeChanges(maxItems);
    for (const node of gone) items.delete(node);
    for (const [node, stored] of written) items.set(node, contentOf(stored));
    return written.size + gone.length;
  };
  const total = (): number =>
    [...(items.get('')?.amounts.values() ?? [])].reduce((sum, count) => sum + count, 0);
  return { items, fold, total };
}

const amountsOf = (names: readonly string[], amount = 1) =>
  Object.fromEntries(names.map((name) => [name, amount]));
const many = (prefix: string, count: number) => Array.from({ length: count }, (_, n) => `${prefix}.${n}`);

test('few amounts, however far apart, are one item', async () => {
  const { items, fold, total } = freshShard();
  for (let n = 0; n < 90; n++) await fold(amountsOf([`${n}.${n}.${n}`]));
  expect([[...items.keys()], total()]).toEqual([[''], 90]);
});

test('many amounts of one node get one item, with none between, and the others stay where they are', async () => {
  const { items, fold } = freshShard();
  await fold(amountsOf(['b.x.1', 'b.y.1']));
  await fold(amountsOf(many('a.x', 150)));
  expect([...items.keys()]).toEqual(['', 'a.x.']);
  expect(items.get('')).toEqual({
    amounts: new Map([
      ['b.x.1', 1],
      ['b.y.1', 1],
      ['a.x', 150],
    ]),
    below: new Set(['a.x.']),
  });
  expect(items.get('a.x.')?.amounts.size).toBe(150);
});

test('a node between two items gets one when it is crowded itself', async () => {
  const { items, fold, total } = freshShard();
  await fold(amountsOf(many('a.x', 150)));
  await fold(amountsOf(Array.from({ length: 120 }, (_, n) => `a.${n}.1`)));
  expect([...items.keys()]).toEqual(['', 'a.x.', 'a.']);
  expect(items.get('')).toEqual({ amounts: new Map([['a', 270]]), below: new Set(['a.']) });
  expect([items.get('a.')?.below, items.get('a.')?.amounts.get('a.x')]).toEqual([new Set(['a.x.']), 150]);
  await fold(amountsOf(['a.x.0'], 5));
  expect([items.get('a.x.')?.amounts.get('a.x.0'), total()]).toEqual([6, 275]);
});

test('an item is gone when all that it counted is', async () => {
  const { items, fold } = freshShard();
  await fold(amountsOf(many('a.x', 150)));
  await fold(amountsOf(Array.from({ length: 120 }, (_, n) => `a.${n}.1`)));
  await fold(amountsOf(many('a.x', 149), -1));
  expect([...items.keys()]).toEqual(['', 'a.x.', 'a.']);
  await fold(amountsOf(['a.x.149'], -1));
  expect([...items.keys()]).toEqual(['', 'a.']);
  await fold(
    amountsOf(
      Array.from({ length: 120 }, (_, n) => `a.${n}.1`),
      -1,
    ),
  );
  expect([...items]).toEqual([['', contentOf({})]]);
});

test('a fold writes no more items than a transaction takes, and a later one goes on', async () => {
  const { items, fold, total } = freshShard();
  const names = Array.from({ length: 300 }, (_, n) => `${n % 150}.x.${n}`);
  expect(await fold(amountsOf(names), 20)).toBe(20);
  const before = items.size;
  await fold(amountsOf(['0.y.1']), 20);
  expect([before, items.size > before, total()]).toEqual([20, true, 301]);
});
