import fc from 'fast-check';
import { condition, type Tree } from './conditions.ts';
import { type Action, update } from './updates.ts';
import { anyPath, attributes, number, type Path, type Plain, type PlainItem, text } from './values.ts';

export type Key = { readonly pk: string; readonly sk: Plain };

type Conditional = { readonly key: Key; readonly condition?: Tree | undefined; readonly tellsOld: boolean };
export type Write =
  | (Conditional & { readonly kind: 'Put'; readonly attributes: PlainItem })
  | (Conditional & { readonly kind: 'Update'; readonly update: readonly Action[] })
  | (Conditional & { readonly kind: 'Delete' })
  | (Conditional & { readonly kind: 'ConditionCheck'; readonly condition: Tree });

/** A write of a batch, which has no condition. */
export type BatchWrite =
  | { readonly kind: 'Put'; readonly key: Key; readonly attributes: PlainItem }
  | { readonly kind: 'Delete'; readonly key: Key };

export type Range =
  | { readonly by: '=' | '<' | '<=' | '>' | '>='; readonly value: Plain }
  | { readonly by: 'between'; readonly low: Plain; readonly high: Plain }
  | { readonly by: 'begins'; readonly prefix: string };

export type Walk = {
  readonly index?: string | undefined;
  readonly limit?: number | undefined;
  readonly filter?: Tree | undefined;
  readonly isCount: boolean;
};

export type Command =
  | { readonly do: 'write'; readonly write: Write; readonly returns: string }
  | { readonly do: 'get'; readonly key: Key; readonly paths: readonly Path[] }
  | (Walk & {
      readonly do: 'query';
      readonly hash: string;
      readonly range?: Range | undefined;
      readonly isForward: boolean;
    })
  | (Walk & { readonly do: 'scan' })
  | { readonly do: 'transact'; readonly writes: readonly Write[] }
  | { readonly do: 'transactGet'; readonly keys: readonly Key[] }
  | { readonly do: 'batchGet'; readonly keys: readonly Key[] }
  | { readonly do: 'batchWrite'; readonly writes: readonly BatchWrite[] };

/** Commands of one turn: the first is a transaction, and the others come while it lasts. */
export type Meeting = {
  readonly do: 'meet';
  readonly first: Command & { do: 'transact' };
  readonly others: readonly Command[];
};

export type Sequence = {
  readonly rangeType: 'N' | 'S';
  readonly isStrict: boolean;
  readonly steps: readonly (Command | Meeting)[];
};

export const INDEXES = {
  'by-g': { hash: 'g', range: 'r', isWhole: true },
  'by-s': { hash: 's', range: undefined, isWhole: false },
} as const;

const maybe = <T>(of: fc.Arbitrary<T>) => fc.option(of, { nil: undefined });
const is = <K extends string>(of: K) => fc.constant(of);
// Few keys: commands are to find items, and transactions each other.
const HASHES = ['p', 'p', 'q'] as const;

function writesOf(key: fc.Arbitrary<Key>) {
  const common = { key, condition: maybe(condition), tellsOld: fc.boolean() };
  const put = fc.record({ kind: is('Put'), ...common, attributes });
  const change = fc.record({ kind: is('Update'), ...common, update });
  const remove = fc.record({ kind: is('Delete'), ...common });
  const check = fc.record({ kind: is('ConditionCheck'), ...common, condition });
  return {
    put,
    change,
    remove,
    any: fc.oneof<fc.Arbitrary<Write>[]>(put, put, change, change, remove, check),
  };
}

function rangeOf(value: fc.Arbitrary<Plain>, isText: boolean): fc.Arbitrary<Range> {
  const compared = fc.record({
    by: fc.constantFrom('=' as const, '<' as const, '<=' as const, '>' as const, '>=' as const),
    value,
  });
  const between = fc.record({ by: is('between'), low: value, high: value });
  return isText
    ? fc.oneof(compared, between, fc.record({ by: is('begins'), prefix: text }))
    : fc.oneof(compared, between);
}

function commandsOf(rangeType: 'N' | 'S') {
  const sk: fc.Arbitrary<Plain> = rangeType === 'N' ? number : text;
  const key = fc.record({ pk: fc.constantFrom(...HASHES), sk });
  const keys = fc.uniqueArray(key, { minLength: 1, maxLength: 3, selector: (of) => JSON.stringify(of) });
  const { put, change, remove, any } = writesOf(key);
  const returning = (write: fc.Arbitrary<Write>, ...returns: string[]) =>
    fc.record({ do: is('write'), write, returns: fc.constantFrom('NONE', 'ALL_OLD', ...returns) });
  const walk = {
    limit: maybe(fc.integer({ min: 1, max: 4 })),
    filter: maybe(condition),
    isCount: fc.boolean(),
  };
  const query = { do: is('query'), ...walk, isForward: fc.boolean() };
  const distinct = fc.uniqueArray(any, {
    minLength: 1,
    maxLength: 5,
    selector: (each) => JSON.stringify(each.key),
  });
  const transact = fc.record({
    do: is('transact'),
    // Seldom two writes of one item, which DynamoDB refuses.
    writes: fc.oneof(
      { weight: 9, arbitrary: distinct },
      { weight: 1, arbitrary: fc.array(any, { minLength: 1, maxLength: 5 }) },
    ),
  });
  const command: fc.Arbitrary<Command> = fc.oneof<fc.Arbitrary<Command>[]>(
    returning(put),
    returning(put),
    returning(change, 'ALL_NEW', 'UPDATED_OLD', 'UPDATED_NEW'),
    returning(change, 'ALL_NEW', 'UPDATED_OLD', 'UPDATED_NEW'),
    returning(remove),
    fc.record({
      do: is('get'),
      key,
      paths: fc.uniqueArray(anyPath, { maxLength: 2, selector: ([first]) => first }),
    }),
    fc.record({
      ...query,
      index: fc.constant(undefined),
      hash: fc.constantFrom(...HASHES),
      range: maybe(rangeOf(sk, rangeType === 'S')),
    }),
    fc.record({ ...query, index: is('by-g'), hash: text, range: maybe(rangeOf(number, false)) }),
    fc.record({ ...query, index: is('by-s'), hash: text }),
    fc.record({ do: is('scan'), ...walk, index: fc.constantFrom(undefined, 'by-g', 'by-s') }),
    transact,
    transact,
    fc.record({ do: is('transactGet'), keys }),
    fc.record({ do: is('batchGet'), keys }),
    fc.record({
      do: is('batchWrite'),
      // Now and then two of one item, which DynamoDB refuses.
      writes: fc.array(
        fc.oneof<fc.Arbitrary<BatchWrite>[]>(
          fc.record({ kind: is('Put'), key, attributes }),
          fc.record({ kind: is('Delete'), key }),
        ),
        { minLength: 1, maxLength: 3 },
      ),
    }),
  );
  const meeting = fc.record({
    do: is('meet'),
    first: transact,
    others: fc.array(command, { minLength: 1, maxLength: 4 }),
  });
  return fc.oneof<fc.Arbitrary<Command | Meeting>[]>(
    { weight: 6, arbitrary: command } as never,
    { weight: 1, arbitrary: meeting } as never,
  );
}

export const sequence: fc.Arbitrary<Sequence> = fc
  .constantFrom('N' as const, 'S' as const)
  .chain((rangeType) =>
    fc.record({
      rangeType: fc.constant(rangeType),
      isStrict: fc.boolean(),
      steps: fc.array(commandsOf(rangeType), { minLength: 1, maxLength: 40, size: 'max' }),
    }),
  );
