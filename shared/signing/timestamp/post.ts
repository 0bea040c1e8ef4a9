import { guardedFetch } from '../../net/guarded.ts';
import type { GuardedFetch } from '../../net/request.ts';

export type PostAnswer = { readonly status: number; readonly bytes: Buffer };

/** Sends a request to an authority. It throws if there is no answer. */
export type Post = (
  url: string,
  body: Buffer,
  options: { readonly timeoutMs: number },
) => Promise<PostAnswer>;

// A token with its chain and CRLs is far smaller.
const MAX_ANSWER_BYTES = 1024 * 1024;

export type PostSettings = {
  /** For the sandbox, whose authority is on this machine. */
  readonly allowPrivateAddresses?: boolean | undefined;
  readonly fetch?: GuardedFetch;
};

/** Posts through the guarded connector. @example const post = timestampPost({ allowPrivateAddresses: isLocal() }); */
export const timestampPost =
  ({ allowPrivateAddresses, fetch = guardedFetch }: PostSettings = {}): Post =>
  async (url, body, { timeoutMs }) =>
    fetch({
      url,
      method: 'POST',
      headers: { 'content-type': 'application/timestamp-query', accept: 'application/timestamp-reply' },
      body,
      timeoutMs,
      maxBytes: MAX_ANSWER_BYTES,
      allowPrivateAddresses,
    });
