import { setTimeout } from 'node:timers/promises';

const INTERVAL_MS = 300;

/** Reads something until it is as it should be. Where many are waited for, a webhook costs less than polling. */
export async function waitUntil<T>(read: () => Promise<T>, isDone: (value: T) => boolean): Promise<T> {
  let value = await read();
  while (!isDone(value)) {
    await setTimeout(INTERVAL_MS);
    value = await read();
  }
  return value;
}
