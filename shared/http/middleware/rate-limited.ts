import type { MiddlewareObj } from '@middy/core';
import { hit } from '../../store/rate-window.ts';
import type { Call } from '../call.ts';
import type { Declaration } from '../declaration.ts';
import { Problem } from '../errors.ts';
import type { Service } from '../service.ts';

/**
 * A fixed window per client address, by the policy the endpoint is under. Where a key is a choice, who sends one is
 * known and not counted.
 */
export function rateLimited(service: Service, { rate: policy, access }: Declaration): MiddlewareObj<Call>[] {
  const limits = policy && service.rates?.[policy];
  if (!limits) return [];
  return [
    {
      async before({ event: call }) {
        if (typeof access === 'object' && call.caller) return;
        const window = { service: service.name, policy, client: call.clientAddress, ...limits() };
        const { allowed, retryAfterSeconds } = await hit(window);
        if (allowed) return;
        const headers = { 'retry-after': String(retryAfterSeconds) };
        throw new Problem('rateLimited', { retryAfterSeconds }, { headers });
      },
    },
  ];
}
