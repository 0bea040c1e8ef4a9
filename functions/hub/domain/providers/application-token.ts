import * as z from 'zod';
import { callProvider } from './call-provider.ts';
import { secretOf } from './client-secret.ts';
import { AccessToken, Seconds } from './exchange-code.ts';
import type { Provider } from './provider.ts';
import { tokenBodyOf } from './request-body.ts';
import { requireShape } from './shaped.ts';

type Known = { readonly token: Promise<string>; freshUntilMs: number; text?: string };

// A token is replaced this long before its end, so that it does not end on its way.
const EARLY_MS = 30_000;
// Where a provider does not say how long its token lives. A rejected one is replaced anyway.
const USUAL_SECONDS = 300;

const Token = z.object({ access_token: AccessToken, expires_in: Seconds });

const known = new Map<string, Known>();
const keyOf = ({ name, baseUrl, clientId, sealedSecret }: Provider): string =>
  JSON.stringify([name, baseUrl, clientId, sealedSecret]);

/** The hub's own token at a provider, asked for once and kept in memory until shortly before its end. */
export function applicationToken(provider: Provider, sinceMs: number): Promise<string> {
  const key = keyOf(provider);
  const kept = known.get(key);
  if (kept && Date.now() < kept.freshUntilMs) return kept.token;
  // Whoever comes while it is asked for waits for the same answer.
  const asked = ask(provider, sinceMs);
  const made: Known = { token: asked.then(({ token }) => token), freshUntilMs: Number.POSITIVE_INFINITY };
  known.set(key, made);
  asked.then(
    ({ token, endsAtMs }) => {
      made.text = token;
      made.freshUntilMs = endsAtMs - EARLY_MS;
    },
    () => forget(key, made),
  );
  return made.token;
}

/** Another one is asked for next time, unless somebody has done so since. */
export function forgetApplicationToken(provider: Provider, text: string): void {
  const key = keyOf(provider);
  if (known.get(key)?.text === text) known.delete(key);
}

function forget(key: string, made: Known): void {
  if (known.get(key) === made) known.delete(key);
}

async function ask(provider: Provider, sinceMs: number): Promise<{ token: string; endsAtMs: number }> {
  const operation = 'application-token';
  return callProvider(provider, {
    operation,
    method: 'POST',
    path: '/client_token',
    sinceMs,
    body: tokenBodyOf(provider, {
      grant_type: 'client_credentials',
      client_id: provider.clientId,
      client_secret: secretOf(provider),
    }),
    read: (answer) => {
      const { access_token, expires_in } = requireShape(Token, answer, { provider, operation });
      return { token: access_token, endsAtMs: Date.now() + (expires_in ?? USUAL_SECONDS) * 1000 };
    },
  });
}
