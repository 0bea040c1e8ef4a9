/** The kinds of authentication of a call to a receiver: the header that it carries. */
export const AUTH_TYPES = ['NoAuth', 'Basic', 'Bearer', 'ApiKey'] as const;
export type AuthType = (typeof AUTH_TYPES)[number];

/** Where an owner's events go. Its token and secret appear in no answer and no log; see `credentials.ts`. */
export type Webhook = {
  readonly id: string;
  readonly owner: string;
  readonly url: string;
  readonly authType: AuthType;
  /** The token and the secret, sealed for the store. */
  readonly sealed?: string | undefined;
  /** Present in a webhook of the settings, before it is stored, and in one stored by a version that did not seal. */
  readonly token?: string | undefined;
  /** The `whsec_…` of Standard Webhooks, with which attempts are signed. Most webhooks have none. */
  readonly secret?: string | undefined;
  readonly createdAtMs: number;
};

/** The content of a webhook to register. */
export type WebhookRequest = {
  readonly url: string;
  readonly authType: AuthType;
  readonly token?: string | undefined;
  /** In a replacement: undefined keeps the old secret while the address stays the same; null removes it. */
  readonly secret?: string | null | undefined;
};

export type WebhookRequestRefusal =
  | 'bad-address'
  | 'private-address'
  | 'name-not-found'
  | 'bad-token'
  | 'bad-secret'
  | 'secret-required';

/** Why a request was refused. The message is fit for the caller. */
export type Refused<Reason extends string> = { readonly refused: Reason; readonly message: string };
