import { randomUUID } from 'node:crypto';
import { vi } from 'vitest';
import { SANDBOX_KEY } from '../../../../functions/sandbox/sandbox-data.ts';
import type { Endpoint } from '../../../../shared/http/endpoint.ts';
import { call, type Request } from '../../../requests/http-event.ts';

/** Calls an endpoint as an operator, each time from an address of its own, so that no call spends another's allowance. */
export async function ask(handler: Endpoint, request: Request = {}) {
  vi.stubEnv('Auth__ApiKey', SANDBOX_KEY);
  return call(handler, { address: randomUUID(), headers: { 'X-API-Key': SANDBOX_KEY }, ...request });
}

/** The status and the code of a refusal. */
export async function refusalOf(handler: Endpoint, request: Request = {}): Promise<[number, unknown]> {
  const { status, json } = await ask(handler, request);
  return [status, (json() as { code?: string }).code];
}
