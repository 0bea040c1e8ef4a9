/** Runs tasks one after the other, whether they succeed or fail. @example const inTurn = serialQueue(); await inTurn(() => sign(hash)) */
export function serialQueue(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return <T>(work: () => Promise<T>): Promise<T> => {
    const turn = last.then(work);
    last = turn.catch(() => undefined);
    return turn;
  };
}
