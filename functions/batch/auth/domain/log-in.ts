import { hashSecret, matchesSecret } from '../../../../shared/access/secrets.ts';
import { operatorSessions } from '../../config/operator-sessions.ts';
import { settings } from '../../settings.ts';
import { hasIdentityProvider } from './provider-login.ts';

type LoginRequest = {
  readonly apiKey: string;
  /** The cookie that the browser has already. */
  readonly previous: string | undefined;
};

export type LoginRefusal = 'auth.misconfigured' | 'auth.invalid-credentials';

export type LoginResult =
  | { readonly outcome: 'loggedIn'; readonly cookie: string }
  | { readonly outcome: 'byProvider' }
  | { readonly outcome: 'refused'; readonly code: LoginRefusal };

/**
 * Starts a session for whoever has the operator key; with an identity provider for nobody, right key or wrong. The
 * refusal is a value: a browser is shown a page.
 */
export async function logIn({ apiKey, previous }: LoginRequest, nowMs: number): Promise<LoginResult> {
  if (hasIdentityProvider()) return { outcome: 'byProvider' };
  const code = refusalOf(apiKey);
  if (code) return { outcome: 'refused', code };
  return { outcome: 'loggedIn', cookie: await operatorSessions.start(previous, {}, nowMs) };
}

function refusalOf(offered: string): LoginRefusal | undefined {
  const key = settings['Auth:ApiKey'];
  if (key === '') return 'auth.misconfigured';
  return matchesSecret(hashSecret(key), offered) ? undefined : 'auth.invalid-credentials';
}
