// What is read is asked for again when it is older than this. Reading it for each attempt would cost as much as
// recording the attempt.
const READ_AGAIN_MS = 200;
// Until then it is good: a change is followed within this time.
const GOOD_FOR_MS = 500;

type Read<T> = { readonly at: number; readonly value: Promise<T> };

/**
 * Something that others may change, as it was half a second ago at most. It is read again beside those who use it,
 * so that they wait for the store only when it takes longer than that:
 *
 *   reads   |--first--|            |--second--|
 *   users    wait     |go|go|go|go|go|go|go|go|      a user after READ_AGAIN_MS asks, and goes with the first
 */
export function refreshAhead<T>(read: () => Promise<T>, now: () => number = () => performance.now()) {
  let newest: Read<T> | undefined;
  let asked: Read<T> | undefined;

  const ask = (at: number): Read<T> => {
    const mine: Read<T> = { at, value: read() };
    mine.value.then(
      () => {
        if (!newest || newest.at < mine.at) newest = mine;
      },
      () => undefined, // Whoever waits for it is told.
    );
    return mine;
  };
  return (): Promise<T> => {
    const at = now();
    if (!asked || at - asked.at > READ_AGAIN_MS) asked = ask(at);
    return newest && at - newest.at <= GOOD_FOR_MS ? newest.value : asked.value;
  };
}
