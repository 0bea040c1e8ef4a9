import {
  ProvisionedThroughputExceededException,
  TransactionCanceledException,
  TransactWriteItemsCommand,
} from '@aws-sdk/client-dynamodb';
import { describe, expect, test, vi } from 'vitest';
import { requireBatch } from '../../../../../functions/credentials/degrees/batches/domain/batch.ts';
import { readLine } from '../../../../../functions/credentials/degrees/batches/read-line.ts';
import { dynamo } from '../../../../../shared/store/client.ts';
import { errorsOf, listedDegrees, ownStage, run, sendBatch } from './stage.ts';

describe('a store that does not work', () => {
  const throttled = () =>
    new ProvisionedThroughputExceededException({ $metadata: { httpStatusCode: 400 }, message: 'slow down' });

  /** Fails so many of the next transactions that hold this text. */
  function failTransactions(times: number, error: () => Error, text = '') {
    const send = dynamo().send.bind(dynamo()) as (command: object) => Promise<unknown>;
    let left = times;
    return vi.spyOn(dynamo(), 'send').mockImplementation(async (command: object) => {
      const isMeant =
        command instanceof TransactWriteItemsCommand && JSON.stringify(command.input).includes(text);
      if (isMeant && left-- > 0) throw error();
      return send(command);
    });
  }

  test('slows a batch down, and fails no line', async () => {
    const own = await ownStage();
    const batch = await sendBatch(
      own,
      Array.from({ length: 20 }, (_, n) => own.degree(n)),
    );
    vi.spyOn(Math, 'random').mockReturnValue(0); // no pause
    const spy = failTransactions(500, throttled);
    expect(await run(batch)).toBe('finished');
    spy.mockRestore();
    vi.mocked(Math.random).mockRestore();
    expect(await requireBatch(own.caller, batch.id)).toMatchObject({ created: 20, failed: 0 });
    expect((await listedDegrees(own)).total).toBe(20);
  });

  test('for longer than a run ends it without an error of a line, and the next run goes on', async () => {
    const own = await ownStage();
    const batch = await sendBatch(own, [own.degree(1), own.degree(2)]);
    vi.spyOn(Math, 'random').mockReturnValue(0);
    let nowMs = Date.now();
    const spy = failTransactions(Number.POSITIVE_INFINITY, throttled);
    await expect(run(batch, { now: () => (nowMs += 1_000) })).rejects.toThrow('slow down');
    spy.mockRestore();
    vi.mocked(Math.random).mockRestore();
    expect(await requireBatch(own.caller, batch.id)).toMatchObject({
      state: 'Created',
      created: 0,
      failed: 0,
    });
    expect(await run(batch)).toBe('finished');
    expect(await requireBatch(own.caller, batch.id)).toMatchObject({ created: 2, failed: 0 });
  });

  test('is told from one that will never take a line, which is reported', async () => {
    const own = await ownStage();
    const invalid = () =>
      new TransactionCanceledException({
        $metadata: { httpStatusCode: 400 },
        message: 'Item size has exceeded the maximum allowed size',
        CancellationReasons: [{ Code: 'ValidationError' }],
      });
    const batch = await sendBatch(own, [own.degree(1), own.degree(2), own.degree(3)]);
    const spy = failTransactions(Number.POSITIVE_INFINITY, invalid, 'Aluno 2');
    expect(await run(batch)).toBe('finished');
    spy.mockRestore();
    expect((await errorsOf(own, batch)).map(({ line, code }) => [line, code])).toEqual([
      [2, 'UnexpectedError'],
    ]);
    expect((await listedDegrees(own)).total).toBe(2);
  });

  test('is not taken for what it is not: a line that alone meets a fault of ours is reported', async () => {
    const own = await ownStage();
    const batch = await sendBatch(own, [own.degree(1), own.degree(2), own.degree(3)]);
    const read = (bytes: Buffer) => {
      const request = readLine(bytes);
      return request.studentName === 'Aluno 2'
        ? {
            ...request,
            get files(): never {
              throw new TypeError('a fault of ours');
            },
          }
        : request;
    };
    expect(await run(batch, { readLine: read })).toBe('finished');
    expect((await errorsOf(own, batch)).map(({ line, code }) => [line, code])).toEqual([
      [2, 'UnexpectedError'],
    ]);
    expect((await listedDegrees(own)).total).toBe(2);
  });
});
