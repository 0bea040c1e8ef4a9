import { describe, expect, test } from 'vitest';
import {
  chargeList,
  chargeMemory,
  chargeTime,
  createBudget,
  extendBudget,
  releaseList,
  releaseMemory,
  tryChargeTime,
  withScratchLists,
  withScratchMemory,
} from '../../../shared/bounds/budget.ts';

class Refused extends Error {}

const refuse = (exceeded: string): never => {
  throw new Refused(exceeded);
};

describe('time', () => {
  test('may be used to the last unit, and not past it', () => {
    const budget = createBudget({ units: 10, refuse });
    chargeTime(budget, 10);
    expect(() => chargeTime(budget, 1)).toThrow(new Refused('time'));
    expect(() => chargeTime(budget, 0)).toThrow(Refused);
  });

  test('may be extended', () => {
    const budget = createBudget({ units: 1, refuse });
    extendBudget(budget, 2);
    chargeTime(budget, 3);
    expect(tryChargeTime(budget, 1)).toBe(false);
  });
});

describe('memory', () => {
  const budgetOf = (bytes: number) => createBudget({ units: 0, bytes, refuse });

  test('is limited for values and lists together', () => {
    const budget = budgetOf(10);
    chargeMemory(budget, 6);
    chargeList(budget, 4);
    expect(() => chargeList(budget, 1)).toThrow(new Refused('memory'));
  });

  test('of values is given back after a scratch run, also when it throws', () => {
    const budget = budgetOf(10);
    const useAll = () => withScratchMemory(budget, () => chargeMemory(budget, 10));
    useAll();
    useAll();
    expect(() => withScratchMemory(budget, () => chargeMemory(budget, 11))).toThrow(Refused);
    expect(budget).toMatchObject({ heldBytes: 0, listedBytes: 0 });
  });

  test('of lists outlives a scratch run of values, and not one of lists', () => {
    const budget = budgetOf(10);
    withScratchMemory(budget, () => chargeList(budget, 4));
    expect(budget.listedBytes).toBe(4);
    withScratchLists(budget, () => chargeList(budget, 6));
    expect(budget.listedBytes).toBe(4);
  });

  test('may be given back piece by piece', () => {
    const budget = budgetOf(10);
    chargeMemory(budget, 5);
    chargeList(budget, 5);
    releaseMemory(budget, 1);
    releaseList(budget, 2);
    expect(budget).toMatchObject({ heldBytes: 4, listedBytes: 3 });
  });

  test('without a limit is never refused', () => {
    const budget = createBudget({ units: 0, refuse });
    chargeMemory(budget, Number.MAX_SAFE_INTEGER);
    expect(budget.heldBytes).toBe(Number.MAX_SAFE_INTEGER);
  });
});
