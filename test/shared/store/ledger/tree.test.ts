import { expect, test } from 'vitest';
import { contentOf, countTree, type NodeContent } from '../../../../shared/store/ledger/tree.ts';

// The amount a.b.c is counted in the head, in the node a and in the node a.b.
const countsOf = (name: string) => {
  const [a = '', b = '', c = ''] = name.split('.');
  return [
    { node: '', field: a },
    { node: a, field: b },
    { node: `${a}.${b}`, field: c },
  ];
};

/** A shard that is folded as often as wanted. `items` are its nodes. */
function freshShard() {
  const items = new Map<string, NodeContent>([['', contentOf({})]]);
  const fold = async (amounts: Readonly<Record<string, number>>, maxItems = 100) => {
    const read = async (nodes: readonly string[]) =>
      new Map(nodes.flatMap((node) => [[node, items.get(node)] as const]).filter(([, content]) => content));
    const tree = countTree(countsOf, read as Parameters<typeof countTree>[1]);
    await tree.load(items.get('') ?? contentOf({}), new Set(Object.keys(amounts)));
    for (const [name, amount] of Object.entries(amounts)) tree.add(name, amount);
    const { written, gone } = await tree.takeChanges(maxItems);
    for (const node of gone) items.delete(node);
    for (const [node, fields] of written) items.set(node, contentOf(fields));
    return written.size + gone.length;
  };
  const total = (): number =>
    [...(items.get('')?.counts.values() ?? []), ...(items.get('')?.details.values() ?? [])].reduce(
      (sum, count) => sum + count,
      0,
    );
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

test('many amounts of one node get items on the path to it, and the others stay where they are', async () => {
  const { items, fold, total } = freshShard();
  await fold(amountsOf(['b.x.1', 'b.y.1']));
  await fold(amountsOf(many('a.x', 150)));
  expect([...items.keys()]).toEqual(['', 'a', 'a.x']);
  expect(items.get('')).toEqual({
    counts: new Map([['a', 150]]),
    details: new Map([
      ['b.x.1', 1],
      ['b.y.1', 1],
    ]),
  });
  expect(items.get('a')?.counts).toEqual(new Map([['x', 150]]));
  expect([items.get('a.x')?.counts.size, total()]).toEqual([150, 152]);
});

test('an item is gone when all that it counted is', async () => {
  const { items, fold } = freshShard();
  await fold(amountsOf(many('a.x', 150)));
  await fold(amountsOf(many('a.x', 149), -1));
  expect([...items.keys()]).toEqual(['', 'a', 'a.x']);
  await fold(amountsOf(['a.x.149'], -1));
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

// fold 1   a.x: { 0: 150, ... }
// fold 2   one more of a.x.0 is taken away, before it was added: a and '' have nothing to count, a.x has both
// fold 3   many of a.x, in the head until it is split: the counts of a.x must still be there
test('a node below one that was deleted keeps its counts when it gets an item again', async () => {
  const { items, fold, total } = freshShard();
  await fold(amountsOf(many('a.x', 150)));
  await fold({ ...amountsOf(many('a.x', 149), -1), 'a.x.200': -1 });
  expect([...items.keys()]).toEqual(['', 'a.x']);
  await fold({ ...amountsOf(many('a.x', 148)), 'a.x.200': 1 });
  expect([...items.keys()]).toEqual(['', 'a.x', 'a']);
  expect([items.get('a.x')?.counts.get('149'), items.get('a.x')?.counts.get('200')]).toEqual([1, undefined]);
  expect(total()).toBe(149);
});
