import { randomBytes } from 'node:crypto';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { replaceWebhook } from '../../../shared/webhooks/registrations/registrations.ts';
import { logOf } from '../http/log-of.ts';
import { answering } from './a-receiver.ts';
import { anEngine } from './an-engine.ts';
import { receiversOfATest } from './receivers.ts';

const receiver = receiversOfATest();
afterEach(() => {
  vi.unstubAllEnvs();
});

describe('the log', () => {
  test('tells what came of each attempt and of which webhook, and holds no token, secret, address or body', async () => {
    vi.stubEnv('Log__Level', 'DEBUG');
    const secret = `whsec_${randomBytes(32).toString('base64')}`;
    const inbox = await receiver(answering(500, {}, 'ANSWERED-BODY'));
    const { engine, owner, register, happen, run, retry } = anEngine({ policy: { maxAttempts: 2 } });
    const { lines, result } = await logOf(async () => {
      const { id } = await register({
        url: `${inbox.url}/PATH-SECRET`,
        authType: 'Bearer',
        token: 'TOKEN-ABC',
        secret,
      });
      await happen({ data: 'CARRIED-BODY' });
      await run(id);
      await replaceWebhook(engine, owner, id, {
        url: `${inbox.url}/?k=QUERY-SECRET`,
        authType: 'ApiKey',
        token: 'TOKEN-DEF',
      });
      await retry(id);
      return id;
    });
    const attempted = lines.filter(({ message }) => message === 'webhook attempted');
    expect(attempted).toMatchObject([
      { level: 'DEBUG', webhookId: result, attempt: 1, outcome: 'failed', status: 500 },
      { level: 'INFO', webhookId: result, attempt: 2, outcome: 'exhausted', status: 500 },
    ]);
    expect(inbox.received).toHaveLength(2);
    expect(JSON.stringify(lines)).not.toMatch(/ANSWERED|CARRIED|PATH-SECRET|QUERY|TOKEN-|whsec_/);
  });
});
