import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { keepDelivery } from '../../../../functions/sandbox/receiver/domain/deliveries.ts';
import { handler as list } from '../../../../functions/sandbox/receiver/endpoints/list-deliveries.ts';
import { handler as receive } from '../../../../functions/sandbox/receiver/endpoints/receive.ts';
import { call } from '../../../requests/http-event.ts';

type Delivery = {
  id: string;
  receivedAt: string;
  status: number;
  headers: Record<string, string>;
  size: number;
  sha256: string;
  body: string | null;
};

const sha256 = (content: string | Buffer) => createHash('sha256').update(content).digest('hex');

/** A receiver by a name that no other test uses. */
function aReceiver() {
  const params = { name: `test-${randomUUID()}` };
  return {
    params,
    post: (
      body: string | Uint8Array,
      query: Record<string, string> = {},
      headers: Record<string, string> = {},
    ) => call(receive, { params, body, query, headers }),
    async kept(): Promise<Delivery[]> {
      const { status, json } = await call(list, { params });
      expect(status).toBe(200);
      return (json() as { items: Delivery[] }).items;
    },
  };
}

describe('the webhook receiver', () => {
  test('has nothing before anything came', async () => {
    expect(await aReceiver().kept()).toEqual([]);
  });

  test('keeps what it gets: the body, the headers, and what it answered', async () => {
    const { post, kept } = aReceiver();
    const body = '{"type":"DocumentSigned","data":{"name":"Procuração"}}';
    const answer = await post(body, {}, { 'Content-Type': 'application/json', Authorization: 'Bearer abc' });
    expect(answer.status).toBe(200);
    expect(answer.json()).toEqual({
      id: expect.any(String),
      size: Buffer.byteLength(body),
      sha256: sha256(body),
    });
    expect(await kept()).toEqual([
      {
        ...(answer.json() as object),
        receivedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
        status: 200,
        headers: { 'content-type': 'application/json', authorization: 'Bearer abc' },
        body,
      },
    ]);
  });

  test('lists the newest first', async () => {
    const { params, kept } = aReceiver();
    for (const [n, at] of [1000, 3000, 2000].entries()) {
      const content = Readable.from([Buffer.from(`${n}`)]);
      await keepDelivery(
        { receiver: params.name, headers: {}, status: 200, content },
        Date.UTC(2027, 0, 1) + at,
      );
    }
    expect((await kept()).map(({ body }) => body)).toEqual(['1', '2', '0']);
  });

  test('keeps apart what was sent to different names', async () => {
    const one = aReceiver();
    const other = aReceiver();
    await one.post('for one');
    expect(await other.kept()).toEqual([]);
  });

  test.each([201, 302, 404, 500, 503])(
    'answers %i where it is asked to, and keeps the request',
    async (status) => {
      const { post, kept } = aReceiver();
      expect((await post('x', { status: String(status) })).status).toBe(status);
      expect(await kept()).toMatchObject([{ status, body: 'x' }]);
    },
  );

  test('waits as long as delayMs says before it answers', async () => {
    const { post, kept } = aReceiver();
    const startedMs = performance.now();
    expect((await post('slow', { delayMs: '100' })).status).toBe(200);
    expect(performance.now() - startedMs).toBeGreaterThanOrEqual(100);
    expect(await kept()).toMatchObject([{ body: 'slow' }]);
  });

  test.each<Record<string, string>>([
    { status: '99' },
    { status: '600' },
    { status: 'often' },
    { delayMs: '-1' },
    { delayMs: '120001' },
  ])('refuses %j, and keeps nothing', async (query) => {
    const { post, kept } = aReceiver();
    const { status, json } = await post('x', query);
    expect(status).toBe(400);
    expect(json()).toMatchObject({ code: 'InvalidRequest', details: { field: Object.keys(query)[0] } });
    expect(await kept()).toEqual([]);
  });

  test('keeps of a large body its size and hash only', async () => {
    const { post, kept } = aReceiver();
    const body = randomBytes(2_000_000);
    expect((await post(body)).json()).toMatchObject({ size: body.length, sha256: sha256(body) });
    expect(await kept()).toMatchObject([{ size: body.length, sha256: sha256(body), body: null }]);
  });

  test('takes a request without a body', async () => {
    const { params, kept } = aReceiver();
    expect((await call(receive, { method: 'POST', params })).status).toBe(200);
    expect(await kept()).toMatchObject([{ size: 0, sha256: sha256(''), body: '' }]);
  });
});
