import type { IncomingHttpHeaders } from 'node:http';
import type { CorsRule } from './catalog.ts';

type Headers = Readonly<Record<string, string>>;

/** The rule of a bucket for pages of an origin, or undefined. */
const ruleFor = (rules: readonly CorsRule[], origin: string, method: string): CorsRule | undefined =>
  rules.find(
    ({ AllowedOrigins = [], AllowedMethods = [] }) =>
      (AllowedOrigins.includes(origin) || AllowedOrigins.includes('*')) && AllowedMethods.includes(method),
  );

/** What an answer says to the browser of a page that may have it. */
export function corsHeaders(rules: readonly CorsRule[], origin: string | undefined, method: string): Headers {
  const rule = origin === undefined ? undefined : ruleFor(rules, origin, method);
  if (!rule || origin === undefined) return {};
  const { ExposeHeaders = [] } = rule;
  return {
    'access-control-allow-origin': origin,
    ...(ExposeHeaders.length > 0 && { 'access-control-expose-headers': ExposeHeaders.join(', ') }),
    vary: 'Origin',
  };
}

/** The consent to a request that a page wants to send, or undefined. */
export function preflightHeaders(
  rules: readonly CorsRule[],
  headers: IncomingHttpHeaders,
): Headers | undefined {
  const { origin } = headers;
  const method = headers['access-control-request-method'];
  const rule = origin && method ? ruleFor(rules, origin, method) : undefined;
  if (!rule || !method) return undefined;
  return {
    ...corsHeaders(rules, origin, method),
    'access-control-allow-methods': (rule.AllowedMethods ?? []).join(', '),
    'access-control-allow-headers': headers['access-control-request-headers'] ?? '*',
    ...(rule.MaxAgeSeconds !== undefined && { 'access-control-max-age': String(rule.MaxAgeSeconds) }),
  };
}
