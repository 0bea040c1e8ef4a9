/** Time that may still be used. A unit is about a nanosecond of one core. */
export type TimeBudget = { leftUnits: number };

/**
 * The time and memory that reading one input may still take. Both are counted from the input's content, never read from
 * a clock or from the garbage collector: the same input always has the same outcome, on any machine.
 */
export type Budget = TimeBudget & {
  /** Memory of values that may still be in use. */
  heldBytes: number;
  /** Memory of lists that outlive the values they were made from. */
  listedBytes: number;
  /** The limit of both together. */
  readonly maxBytes: number;
  readonly refuse: Refuse;
};

/** Throws the format's own error. */
export type Refuse = (exceeded: 'time' | 'memory') => never;

export type BudgetLimits = {
  readonly units: number;
  /** Without it, memory is not limited. */
  readonly bytes?: number;
  readonly refuse: Refuse;
};

/** @example const budget = createBudget({ units: 1_000_000, refuse: () => { throw new FileTooComplex(); } }); */
export const createBudget = ({ units, bytes = Number.POSITIVE_INFINITY, refuse }: BudgetLimits): Budget => ({
  leftUnits: units,
  heldBytes: 0,
  listedBytes: 0,
  maxBytes: bytes,
  refuse,
});

/** Adds time, for work that the input is entitled to. @example extendBudget(budget, 250_000_000); */
export function extendBudget(budget: TimeBudget, units: number): void {
  budget.leftUnits += units;
}

/** Charges time before it is used. Returns false once the budget is exhausted. */
export function tryChargeTime(budget: TimeBudget, units: number): boolean {
  budget.leftUnits -= units;
  return budget.leftUnits >= 0;
}

/** Charges time before it is used, and refuses the input once the budget is exhausted. */
export function chargeTime(budget: Budget, units: number): void {
  if (!tryChargeTime(budget, units)) budget.refuse('time');
}

/** Charges memory before it is allocated. The enclosing `withScratchMemory` gives it back. */
export function chargeMemory(budget: Budget, bytes: number): void {
  budget.heldBytes += bytes;
  refuseFull(budget);
}

/** Charges memory of a list. The enclosing `withScratchLists` gives it back. */
export function chargeList(budget: Budget, bytes: number): void {
  budget.listedBytes += bytes;
  refuseFull(budget);
}

/** Gives back memory of values that are no longer in use. */
export function releaseMemory(budget: Budget, bytes: number): void {
  budget.heldBytes -= bytes;
}

/** Gives back memory of a list that has become shorter. */
export function releaseList(budget: Budget, bytes: number): void {
  budget.listedBytes -= bytes;
}

function refuseFull({ heldBytes, listedBytes, maxBytes, refuse }: Budget): void {
  if (heldBytes + listedBytes > maxBytes) refuse('memory');
}

/**
 * Runs a function that keeps no value it reads, and gives their memory back. Values read outside of such a run count as
 * held for good: a forgotten `withScratchMemory` refuses a file too early, and never lets one take too much.
 * @example for (const kid of kids) withScratchMemory(pdf.budget, () => visit(kid));
 */
export function withScratchMemory<Result>(budget: Budget, run: () => Result): Result {
  const { heldBytes } = budget;
  try {
    return run();
  } finally {
    budget.heldBytes = heldBytes;
  }
}

/** The same for a function that keeps no list either. */
export function withScratchLists<Result>(budget: Budget, run: () => Result): Result {
  const { listedBytes } = budget;
  try {
    return withScratchMemory(budget, run);
  } finally {
    budget.listedBytes = listedBytes;
  }
}
