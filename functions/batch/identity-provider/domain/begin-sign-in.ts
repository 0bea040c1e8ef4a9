import { hasIdentityProvider } from '../../auth/domain/provider-login.ts';
import { logFailure } from './failure.ts';
import { createPending } from './pending-sign-in.ts';
import { authorizationUrl, findProvider, type KnownProvider } from './provider.ts';

type BeginResult =
  | { readonly outcome: 'begun'; readonly location: string; readonly cookie: string }
  | { readonly outcome: 'noProvider' | 'unreachable' };

/** Begins a sign-in: where the browser goes, and the cookie that it comes back with. */
export async function beginSignIn(
  { returnPath }: { readonly returnPath: string },
  nowMs: number,
): Promise<BeginResult> {
  if (!hasIdentityProvider()) return { outcome: 'noProvider' };
  const provider = await findReachable();
  if (!provider) return { outcome: 'unreachable' };
  const { checks, cookie } = await createPending({ authority: provider.authority, returnPath }, nowMs);
  return { outcome: 'begun', location: await authorizationUrl(provider, checks), cookie };
}

async function findReachable(): Promise<KnownProvider | undefined> {
  try {
    return await findProvider();
  } catch (error) {
    logFailure('The identity provider cannot be used: nobody can sign in.', error);
    return undefined;
  }
}
