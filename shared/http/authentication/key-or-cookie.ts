import type { Caller } from '../../access/caller.ts';
import type { Refusal } from '../../errors/errors.ts';
import { isChange, isCrossOrigin } from '../request/cross-origin.ts';
import type { Authenticator } from './authenticator.ts';

type KeyOrCookie = {
  readonly key: Authenticator & { readonly keyHeader: () => string };
  /** The name of the cookie. */
  readonly cookie: () => string;
  /** The caller of a session that lasts. */
  readonly find: (value: string, nowMs: number) => Promise<Caller | undefined>;
  /** The answer to a change that another site made the browser send. */
  readonly crossOrigin: () => Refusal;
};

/**
 * The key, or the cookie of a session. A key that is sent decides: a wrong one is refused whatever the cookie says.
 * @example authenticate: keyOrCookie({ key: configuredKey(…), cookie, find: operatorOf, crossOrigin })
 */
export const keyOrCookie = ({ key, cookie, find, crossOrigin }: KeyOrCookie): Authenticator => ({
  keyHeader: key.keyHeader,
  isKeyChosen: key.isKeyChosen,
  get schemes() {
    return { ...key.schemes, cookie: { type: 'apiKey', in: 'cookie', name: cookie() } };
  },
  refuses: (method) => [...(key.refuses?.(method) ?? []), ...(isChange(method) ? [crossOrigin().code] : [])],
  async identify(call) {
    const byKey = await key.identify(call);
    if (byKey || call.headers[key.keyHeader().toLowerCase()] !== undefined) return byKey;
    const value = call.cookies[cookie()];
    if (value === undefined) return undefined;
    // CSRF: browsers add the cookie to what other pages send. Checked before the session is read, so that such a
    // request does not renew it either.
    if (isChange(call.method) && isCrossOrigin(call.headers)) throw crossOrigin();
    return find(value, Date.now());
  },
});
