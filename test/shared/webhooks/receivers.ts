import { afterEach } from 'vitest';
import { type Receiver, startReceiver } from './a-receiver.ts';

/** Starts receivers for one test and stops them after it. */
export function receiversOfATest(): typeof startReceiver {
  const started: Receiver[] = [];
  afterEach(async () => {
    await Promise.all(started.splice(0).map(({ stop }) => stop()));
  });
  return async (answer) => {
    const receiver = await startReceiver(answer);
    started.push(receiver);
    return receiver;
  };
}
