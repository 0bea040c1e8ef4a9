import { afterEach, expect, test, vi } from 'vitest';
import { handler as authorize } from '../../../../functions/sandbox/providers/endpoints/authorize-at-provider.ts';
import { call, lambdaContext } from '../../../requests/http-event.ts';
import { CLIENT, clientOf } from './a-client.ts';

const gamma = clientOf('gamma');

afterEach(() => {
  vi.unstubAllEnvs();
});

test('gamma holds whatever it is asked, and at the end of its time says only that it does not answer', async () => {
  vi.stubEnv('Providers__SilentFor', '0');
  const answers = await Promise.all([
    gamma.authorize(),
    gamma.decide('approve'),
    gamma.exchange({ code: 'x' }),
    gamma.clientToken(),
    gamma.discover({ ...CLIENT, user_cpf_cnpj: 'CPF', val_cpf_cnpj: '52998224725' }),
    gamma.certificates('x'),
  ]);
  for (const { status, json } of answers)
    expect([status, json()]).toEqual([
      503,
      { error: 'temporarily_unavailable', error_description: 'The provider does not answer.' },
    ]);
});

test('gamma does not answer before the function’s own time is over', async () => {
  vi.stubEnv('Providers__SilentFor', '1');
  // The host ends the function after 400 ms, of which the last 300 are kept for saying so.
  const { status } = await call(authorize, { params: { provider: 'gamma' } }, lambdaContext(400));
  expect(status).toBe(503);
});
