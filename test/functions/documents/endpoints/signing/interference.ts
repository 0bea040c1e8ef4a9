import { randomUUID } from 'node:crypto';
import { s3 } from '../../../../../shared/files/client.ts';
import { dynamo } from '../../../../../shared/store/client.ts';

const NAME = 'the next transaction';

/** Runs `other` right before the next transaction. An error of it is the outcome of the transaction. */
export function interfereBeforeNextTransaction(happens: () => Promise<unknown>): void {
  dynamo().middlewareStack.add(
    (next, { commandName }) =>
      async (args) => {
        if (commandName === 'TransactWriteItemsCommand') {
          dynamo().middlewareStack.remove(NAME);
          await happens();
        }
        return next(args);
      },
    { step: 'initialize', name: NAME },
  );
}

/** Sends the next transaction, loses its response, and retries as a client does. */
export function loseNextResponse(then: 'fail' | 'send again'): void {
  dynamo().middlewareStack.add(
    (next, { commandName }) =>
      async (args) => {
        if (commandName !== 'TransactWriteItemsCommand') return next(args);
        dynamo().middlewareStack.remove(NAME);
        await next(args);
        if (then === 'fail') throw new Error('The answer was lost.');
        return next({ ...args, input: { ...args.input, ClientRequestToken: randomUUID() } });
      },
    { step: 'initialize', name: NAME },
  );
}

const NEXT_FILE = 'the next file';

/** Begins something else when the next file is written, and does not wait for it. */
export function atNextFile(begin: () => void): void {
  s3().middlewareStack.add(
    (next, { commandName }) =>
      async (args) => {
        if (commandName === 'PutObjectCommand') {
          s3().middlewareStack.remove(NEXT_FILE);
          begin();
        }
        return next(args);
      },
    { step: 'initialize', name: NEXT_FILE },
  );
}

const NO_DELETIONS = 'no deletions';

/** Prevents the deletion of files until the returned function is called: a killed process cleans nothing up. */
export function withoutDeletions(): () => void {
  s3().middlewareStack.add(
    (next, { commandName }) =>
      async (args) => {
        if (commandName === 'DeleteObjectCommand') throw new Error('Nobody is there to delete it.');
        return next(args);
      },
    { step: 'initialize', name: NO_DELETIONS },
  );
  return () => void s3().middlewareStack.remove(NO_DELETIONS);
}
