import type { MiddlewareObj } from '@middy/core';
import { Problem } from '../../errors/errors.ts';
import { isPermitted } from '../authentication/authenticator.ts';
import type { Call } from '../call.ts';
import { type Declaration, isPublic } from '../declaration.ts';
import type { Service } from '../endpoint.ts';

const isOpen = (access: Declaration['access']): boolean => typeof access === 'object' && access.keyUnless();

/** Identifies the caller before the body is read: no byte of an unknown caller is parsed or stored. */
export function requireKey(
  service: Service,
  { access = 'key', permission }: Declaration,
): MiddlewareObj<Call>[] {
  if (access === 'public') return [];
  return [
    {
      async before({ event: call }) {
        if (isPublic(access)) return;
        call.caller = await service.authenticate.identify(call);
        if (!call.caller && isOpen(access)) return;
        if (!call.caller) throw new Problem('unauthorized');
        if (permission && !isPermitted(call.caller, permission))
          throw new Problem('forbidden', { permission });
      },
    },
  ];
}
