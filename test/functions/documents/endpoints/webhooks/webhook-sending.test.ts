import { createHmac, randomBytes } from 'node:crypto';
import { describe, expect, test, vi } from 'vitest';
import { handler as getDelivery } from '../../../../../functions/documents/endpoints/webhooks/get-webhook-delivery.ts';
import { handler as sendTest } from '../../../../../functions/documents/endpoints/webhooks/send-webhook-test.ts';
import { handler as updateWebhook } from '../../../../../functions/documents/endpoints/webhooks/update-webhook.ts';
import { startServer } from '../../../../shared/net/a-server.ts';
import { webhookStage } from '../../webhook-stage.ts';

const SECRET = `whsec_${randomBytes(32).toString('base64')}`;
const stage = webhookStage();

const change = (more: Record<string, unknown>) => {
  const usual = { url: stage.receiverUrl(), authType: 'Bearer', token: 'a-long-random-token' };
  return stage.ask(updateWebhook, { json: { ...usual, ...more } });
};
const headersSent = async () => {
  await stage.happen();
  await stage.deliver();
  return stage.received.at(-1)?.headers ?? {};
};

describe('the header sent', () => {
  test.each([
    ['NoAuth', undefined, undefined],
    ['Basic', 'Basic dXNlcjpwYXNzd29yZA==', undefined],
    ['Bearer', 'Bearer dXNlcjpwYXNzd29yZA==', undefined],
    ['ApiKey', undefined, 'dXNlcjpwYXNzd29yZA=='],
  ])('by %s, the token is sent exactly as registered', async (authType, authorization, apiKey) => {
    await change({ authType, token: 'dXNlcjpwYXNzd29yZA==' });
    const headers = await headersSent();
    expect([headers.authorization, headers['x-api-key']]).toEqual([authorization, apiKey]);
  });

  test('a token with spaces in it is sent with them', async () => {
    await change({ authType: 'ApiKey', token: 'two  words' });
    expect((await headersSent())['x-api-key']).toBe('two  words');
  });
});

describe('the signature of Standard Webhooks', () => {
  test('is not there unless a secret is registered', async () => {
    const headers = await headersSent();
    expect([headers['webhook-signature'], headers['webhook-timestamp']]).toEqual([undefined, undefined]);
  });

  test('is over the id, the moment and the body, byte for byte', async () => {
    await change({ secret: SECRET });
    const headers = await headersSent();
    const key = Buffer.from(SECRET.slice('whsec_'.length), 'base64');
    const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${stage.received.at(-1)?.body}`;
    const expected = createHmac('sha256', key).update(signed).digest('base64');
    expect(headers['webhook-signature']).toBe(`v1,${expected}`);
  });

  test('stays when a change leaves the secret out, and ends when it is null', async () => {
    await change({ secret: SECRET });
    await change({});
    expect((await headersSent())['webhook-signature']).toMatch(/^v1,/);
    await change({ secret: null });
    expect((await headersSent())['webhook-signature']).toBeUndefined();
  });
});

describe('a webhook that is changed', () => {
  test('gets what already waits for it at its new address, with its new token', async () => {
    const id = await stage.happen();
    const seen: (string | undefined)[] = [];
    const another = await startServer((request, response) => {
      seen.push(request.headers.authorization);
      request.resume().on('end', () => response.end());
    });
    await change({ url: another.url, token: 'another-token' });
    await stage.deliver();
    await another.stop();
    expect(seen).toEqual(['Bearer another-token']);
    expect(stage.received).toEqual([]);
    expect((await stage.list()).items).toMatchObject([{ id, state: 'Confirmed' }]);
  });
});

describe('at delivery', () => {
  const attemptsOf = async () => {
    const [{ id = '' } = {}] = (await stage.list()).items;
    return ((await stage.ask(getDelivery, { deliveryId: id })).json() as { attempts: unknown }).attempts;
  };

  test('the guard refuses what is not on the public internet, however it was registered', async () => {
    vi.stubEnv('Webhooks__AllowPrivateNetworks', 'false');
    await stage.ask(sendTest);
    await stage.deliver();
    expect(stage.received).toEqual([]);
    expect(await attemptsOf()).toMatchObject([
      { status: null, error: expect.stringMatching(/not on the public internet/) },
    ]);
  });

  test('a redirect is a failure, and is not followed', async () => {
    stage.answer = { status: 307, headers: { location: stage.receiverUrl() } };
    await stage.ask(sendTest);
    await stage.deliver();
    expect(stage.received).toHaveLength(1);
    expect(await attemptsOf()).toMatchObject([{ status: 307 }]);
  });
});
