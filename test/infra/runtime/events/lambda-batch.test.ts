import { describe, expect, test } from 'vitest';
import { failedIds } from '../../../../infra/runtime/events/lambda-batch.ts';

const batch = ['a', 'b', 'c'];
const failures = (...ids: unknown[]) => ({
  batchItemFailures: ids.map((itemIdentifier) => ({ itemIdentifier })),
});

describe('what a function answers about its batch', () => {
  test.each([
    ['nothing at all', null, []],
    ['no answer', undefined, []],
    ['an empty object', {}, []],
    ['no list', { batchItemFailures: null }, []],
    ['an empty list', failures(), []],
    ['one failure', failures('b'), ['b']],
    ['a failure named twice', failures('b', 'b'), ['b']],
    ['all of them', failures('a', 'b', 'c'), batch],
    ['an unknown id', failures('b', 'x'), batch],
    ['an empty id', failures(''), batch],
    ['a null id', failures(null), batch],
    ['a number for an id', failures(1), batch],
    ['a wrong key', { batchItemFailures: [{ id: 'b' }] }, batch],
    ['an id without its object', { batchItemFailures: ['b'] }, batch],
    ['an object for a list', { batchItemFailures: { itemIdentifier: 'b' } }, batch],
    ['a text', 'ok', batch],
    ['a number', 200, batch],
  ])('%s', (_name, answer, expected) => {
    expect([...failedIds(answer, batch)]).toEqual(expected);
  });
});
