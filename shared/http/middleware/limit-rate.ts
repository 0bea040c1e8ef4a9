import type { MiddlewareObj } from '@middy/core';
import { Problem } from '../../errors/errors.ts';
import { type Allowance, hit, hitInBlocks } from '../../store/rate-window.ts';
import type { Call } from '../call.ts';
import type { Declaration } from '../declaration.ts';
import type { Service } from '../endpoint.ts';
import { clientNetwork } from '../request/client-network.ts';

/** A fixed window per client network, by the policy of the endpoint. Callers with an optional key are not counted. */
export function limitRate(
  service: Service,
  { rate: policy, access }: Declaration,
  place: 'beforeKey' | 'afterKey',
): MiddlewareObj<Call>[] {
  const limits = policy && service.rates?.[policy];
  if (!limits) return [];
  return [
    {
      async before({ event: call }) {
        if (typeof access === 'object' && call.caller) return;
        if ((limits().beforeKey === true) !== (place === 'beforeKey')) return;
        await countCall(service, policy, call);
      },
    },
  ];
}

/**
 * Counts a call against a policy of the service, and refuses it over the limit. For an endpoint that counts only some of
 * its calls, such as those with a wrong token.
 * @example if (!address) await countCall(batch, 'WrongLink', input);
 */
export async function countCall<Policy extends string>(
  { name, rates }: { readonly name: Service['name']; readonly rates?: Service<string, Policy>['rates'] },
  policy: Policy,
  { clientAddress }: Pick<Call, 'clientAddress'>,
): Promise<void> {
  const limits = rates?.[policy];
  if (!limits) return;
  const { inBlocks = false, hidesRetryAfter = false, limit, windowSeconds } = limits();
  const window = { service: name, policy, client: clientNetwork(clientAddress), limit, windowSeconds };
  const allowance = await (inBlocks ? hitInBlocks(window) : hit(window));
  if (!allowance.allowed && hidesRetryAfter) throw new Problem('rateLimited');
  refuseOverLimit(allowance);
}

/** Throws the rateLimited problem once the allowance is used up. */
export function refuseOverLimit({ allowed, retryAfterSeconds }: Allowance): void {
  if (allowed) return;
  const headers = { 'retry-after': String(retryAfterSeconds) };
  throw new Problem('rateLimited', { retryAfterSeconds }, { headers });
}
