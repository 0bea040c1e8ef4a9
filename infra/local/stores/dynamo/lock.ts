/** Runs work while holding every key it names. */
export type Holding = <T>(keys: string[], work: () => Promise<T>) => Promise<T>;
/** Runs work while nothing is held. The work itself must hold no key. */
export type Alone = <T>(work: () => Promise<T>) => Promise<T>;

/** How operations that meet on an item are kept apart. */
export type Lock = {
  /** For a plain write. */
  write: Holding;
  /** For the items of TransactWriteItems, in their order, and its token. */
  transaction: Holding;
  /** For the items of TransactGetItems, in their order. */
  transactionRead: Holding;
  alone: Alone;
};

// Whoever comes later waits. Joining the queues of all its keys in one synchronous step gives every piece of work the
// same place in each of them, so two can never wait for each other:
//
//   A (x, y)  |--works--|
//   B (y, z)            |--works--|            waits for A, because of y
//   C (z, x)                      |--works--|  waits for B, because of z
export function createLock(): Lock {
  const tails = new Map<string, Promise<void>>();
  let closed: Promise<void> | undefined;

  const holding: Holding = async (keys, work) => {
    while (closed) await closed;
    const before: Promise<void>[] = [];
    const { promise: done, resolve } = Promise.withResolvers<void>();
    for (const key of keys) {
      const tail = tails.get(key);
      if (tail && tail !== done) before.push(tail);
      tails.set(key, done);
    }
    if (before.length > 0) await Promise.all(before);
    try {
      return await work();
    } finally {
      for (const key of keys) if (tails.get(key) === done) tails.delete(key);
      resolve();
    }
  };

  const alone: Alone = async (work) => {
    while (closed) await closed;
    const { promise, resolve } = Promise.withResolvers<void>();
    closed = promise;
    try {
      await Promise.all(tails.values());
      return await work();
    } finally {
      closed = undefined;
      resolve();
    }
  };
  return { write: holding, transaction: holding, transactionRead: holding, alone };
}
