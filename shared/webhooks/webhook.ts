import { collection } from '../store/collection.ts';
import type { AuthType } from './auth-types.ts';
import type { WebhookEngine } from './engine.ts';

export { AUTH_TYPES, type AuthType } from './auth-types.ts';

/** Where an owner's events go. What authenticates deliveries is for no answer and no log; see `credentials.ts`. */
export type Webhook = {
  readonly id: string;
  readonly owner: string;
  readonly url: string;
  readonly authType: AuthType;
  /** The token and the secret, as they are kept: nobody reads them out of the store alone. */
  readonly sealed?: string | undefined;
  /** Of a webhook of the settings, of one on its way into the store, or of one from before they were sealed. */
  readonly token?: string | undefined;
  /** Of Standard Webhooks, `whsec_…`: attempts are signed with it. Most webhooks have none. */
  readonly secret?: string | undefined;
  readonly createdAtMs: number;
};

/** What somebody wants registered. */
export type WebhookRequest = {
  readonly url: string;
  readonly authType: AuthType;
  readonly token?: string | undefined;
  /** When a webhook is replaced: left out, the old one stays while the address does; null takes it away. */
  readonly secret?: string | null | undefined;
};

export type WebhookRequestRefusal =
  | 'bad-address'
  | 'private-address'
  | 'name-not-found'
  | 'bad-token'
  | 'bad-secret'
  | 'secret-required';

/** Why something was not done. The message is fit for whoever asked for it. */
export type Refused<Reason extends string> = { readonly refused: Reason; readonly message: string };

/** All webhooks of an owner are one item, so that their number is decided by one conditional write. */
export type Registrations = { readonly owner: string; readonly webhooks: readonly Webhook[] };

export const registrationsOf = ({ service }: WebhookEngine) =>
  collection<Registrations, string>({
    service,
    name: 'list of webhooks',
    id: ({ owner }) => owner,
    key: (owner) => ({ pk: `WEBHOOKS#${owner}`, sk: 'WEBHOOKS' }),
  });
