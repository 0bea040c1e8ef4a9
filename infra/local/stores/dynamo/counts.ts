/** Requests of one kind, and those of them that were refused. */
export type Count = {
  tried: number;
  /** Refused because a transaction had one of the items. */
  conflicts: number;
  /** Refused because a partition key had taken its write units of the second. */
  throttled: number;
};

/** What the emulator saw since its start, where it behaves like DynamoDB under load. */
export type Counts = {
  /** TransactWriteItems. */
  readonly transactions: Count;
  /** PutItem, UpdateItem, DeleteItem and BatchWriteItem. */
  readonly writes: Count;
  /** TransactGetItems. */
  readonly reads: Count;
};

const zero = (): Count => ({ tried: 0, conflicts: 0, throttled: 0 });

export const newCounts = (): Counts => ({ transactions: zero(), writes: zero(), reads: zero() });
