import { handler as create } from '../../../../../functions/credentials/degrees/batches/endpoints/create-degree-batch.ts';
import { handler as get } from '../../../../../functions/credentials/degrees/batches/endpoints/get-degree-batch.ts';
import { handler as runBatches } from '../../../../../functions/credentials/degrees/batches/workers/run-degree-batch.ts';
import { call, type Request } from '../../../../requests/http-event.ts';
import { drainQueue } from '../../../drain-queue.ts';
import { fileOf, type Stage } from './stage.ts';

export type Batch = { readonly id: string; readonly status: string; readonly [field: string]: unknown };

export const NDJSON = { 'Content-Type': 'application/x-ndjson' };

/** The operations of batches, called with the key of a stage. Each test has a stage of its own. */
export function batchCalls(stage: () => Stage) {
  const send = (body: Uint8Array | string, request: Request = {}) =>
    call(create, {
      method: 'POST',
      body,
      ...request,
      headers: { ...stage().headers, ...NDJSON, ...request.headers },
    });
  return {
    /** Sends a file. */
    send,
    /** Sends a file of these lines. */
    sent: async (lines: Parameters<typeof fileOf>[0]): Promise<Batch> =>
      (await send(fileOf(lines))).json() as Batch,
    read: async (id: string, headers: Record<string, string> = stage().headers) => {
      const answer = await call(get, { params: { id }, headers });
      return [answer.status, answer.json()] as const;
    },
  };
}

/** Delivers the messages of the queue. Answers their bodies. */
export const work = () => drainQueue('credentials', 'batches', runBatches);

export const refused = (answer: { readonly status: number; readonly json: () => unknown }) => [
  answer.status,
  answer.json(),
];
