import { setTimeout as pause } from 'node:timers/promises';
import { anyBody } from '../../../../shared/http/body/reader.ts';
import { json } from '../../../../shared/http/response/answer.ts';
import { sandbox } from '../../service.ts';
import { Misbehaviour, Received, ReceiverParams } from '../contract.ts';
import { keepDelivery } from '../domain/deliveries.ts';

/** The caller chooses the status, so all statuses have the same shape. */
const answers = Object.fromEntries(Array.from({ length: 400 }, (_, n) => [n + 200, Received]));

export const handler = sandbox.endpoint(
  {
    route: 'POST /receiver/{name}',
    summary: 'Keep what is sent, and answer as asked',
    params: ReceiverParams,
    query: Misbehaviour,
    body: anyBody(),
    answers,
    access: 'public',
  },
  async ({ params, query: { status, delayMs }, body, headers }) => {
    const { id, size, sha256 } = await keepDelivery(
      {
        receiver: params.name,
        status,
        headers,
        content: body.stream(),
      },
      Date.now(),
    );
    if (delayMs > 0) await pause(delayMs);
    return json({ id, size, sha256 }, { status });
  },
);
