import type { ProviderHolder } from './provider.ts';

/** What a holder can allow. */
export const SCOPES = [
  'single_signature',
  'multi_signature',
  'signature_session',
  'authentication_session',
] as const;
export type Scope = (typeof SCOPES)[number];

export const isScope = (text: string): text is Scope => SCOPES.some((scope) => scope === text);

/** Whether the token dies with its first signature. */
export const isForOneCall = (scope: Scope): boolean =>
  scope === 'single_signature' || scope === 'multi_signature';

const DAY_SECONDS = 86_400;
// DOC-ICP-17.01: seven days for a person, thirty for a company.
const MAX_SECONDS = { CPF: 7 * DAY_SECONDS, CNPJ: 30 * DAY_SECONDS } as const;

/** The granted part of a requested lifetime. @example grantedSeconds(holder, 864_000) // 604_800 for a person */
export const grantedSeconds = ({ identifierType }: ProviderHolder, requestedSeconds: number): number =>
  Math.min(requestedSeconds, MAX_SECONDS[identifierType]);
