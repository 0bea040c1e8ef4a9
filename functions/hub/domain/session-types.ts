import type { SessionType } from './providers/authorize-url.ts';

export type { SessionType } from './providers/authorize-url.ts';

/** What a session is good for, in the order of the numbers that older clients send. */
export const SESSION_TYPES = [
  'SingleSignature',
  'MultiSignature',
  'SignatureSession',
  'AuthenticationSession',
] as const satisfies readonly SessionType[];

/** Whether the provider takes one call for it and no more. */
export const isForOneCall = (type: SessionType): boolean =>
  type === 'SingleSignature' || type === 'MultiSignature';

/** Whether it lets a key be used at all. */
export const canSign = (type: SessionType): boolean => type !== 'AuthenticationSession';
