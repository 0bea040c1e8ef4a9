import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { handler as getHealth } from '../../../../functions/compact/endpoints/get-health.ts';
import { call } from '../../../requests/http-event.ts';

test('the compact surface says that it is alive to anyone', async () => {
  const { status, json } = await call(getHealth, { address: randomUUID() });
  expect(status).toBe(200);
  expect(json()).toEqual({ healthy: true, status: 'Healthy' });
});
