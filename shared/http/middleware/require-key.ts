import type { MiddlewareObj } from '@middy/core';
import { Problem } from '../../errors/errors.ts';
import { type Hit, hit, peek } from '../../store/rate-window.ts';
import { isPermitted } from '../authentication/authenticator.ts';
import type { Call } from '../call.ts';
import { type Declaration, isPublic } from '../declaration.ts';
import type { Service } from '../endpoint.ts';
import { clientNetwork } from '../request/client-network.ts';
import { acceptedKeys } from './accepted-keys.ts';
import { refuseOverLimit } from './limit-rate.ts';

const isOpen = (access: Declaration['access']): boolean => typeof access === 'object' && access.keyUnless();

// As many as a login allows by default. A misconfigured client that polls stays below it.
const REFUSED_KEYS = { policy: 'refused-keys', limit: 60, windowSeconds: 60 };

/** Identifies the caller before the body is read: no byte of an unknown caller is parsed or stored. */
export function requireKey(
  service: Service,
  { access = 'key', permission, can = '' }: Declaration,
): MiddlewareObj<Call>[] {
  if (access === 'public') return [];
  return [
    {
      async before({ event: call }) {
        if (isPublic(access)) return;
        call.caller = await identify(service, call);
        if (!call.caller && isOpen(access)) return;
        if (!call.caller) throw new Problem('unauthorized');
        if (permission && !isPermitted(call.caller, permission))
          throw new Problem('forbidden', { permission });
        if (service.may && !service.may(call.caller, can)) throw new Problem('forbidden');
      },
    },
  ];
}

// Key guessing: refused keys are counted by network, and over the limit each further one is told 429. The count is in the
// store; whether it is used up a process knows only from its own refusals:
//
//   process 1  |--60 wrong keys: 401--|--429 …
//   process 2                         |--1 wrong key: counted as the 61st--|--429 …
//
// A key of 256 random bits is compared all the same: nobody guesses it, and callers behind one address do not shut each
// other out. Of a key that people choose nothing more is compared for that network, unless it sent the right one lately,
// to whatever process. A guesser has the limit plus one guess for each process.
async function identify(service: Service, call: Call): Promise<Call['caller']> {
  const { authenticate, name } = service;
  const header = authenticate.keyHeader?.().toLowerCase();
  const carriesKey = authenticate.carriesKey?.(call) ?? (header !== undefined && header in call.headers);
  if (!carriesKey) return authenticate.identify(call);
  const network = clientNetwork(call.clientAddress);
  const window: Hit = { service: name, client: network, ...REFUSED_KEYS };
  const key = (header !== undefined && call.headers[header]) || '';
  const accepted = authenticate.isKeyChosen ? acceptedKeys(name, network) : undefined;
  const nowMs = Date.now();
  // The store is asked only where the network has used up its guesses.
  const isKnown =
    accepted?.knows(key, nowMs) || (!peek(window).allowed && (await accepted?.has(key, nowMs)) === true);
  const isGuess = accepted !== undefined && !isKnown;
  if (isGuess) refuseOverLimit(peek(window));
  const caller = await authenticate.identify(call);
  // Guesses at once: those before this one may have used up the window meanwhile.
  if (!caller || isGuess) refuseOverLimit(caller ? peek(window) : await hit(window));
  if (caller) await accepted?.note(key, nowMs);
  return caller;
}
