import { collection, type Stored } from '../../../../shared/store/collection.ts';
import { pageByCursor } from '../../../../shared/store/cursor.ts';

/** A cloud certificate provider that speaks the national OAuth API, with the ways in which it differs from others. */
export type Provider = {
  /** As the hub calls it, and its clients in paths. Another spelling of it in large or small letters is the same. */
  readonly name: string;
  /** The company that operates it. */
  readonly company: string;
  /** Up to and with `/oauth`, without a trailing slash. */
  readonly baseUrl: string;
  readonly badgeUrl: string | null;
  readonly clientId: string;
  /** Opens with the setting Providers:SealingKey and for this very name, address and client alone. */
  readonly sealedSecret: string;
  /** How it wants hashes written. */
  readonly hashEncoding: 'base64' | 'hex';
  /** How it wants the parameters of a token request. */
  readonly tokenBody: 'form' | 'json';
  /** The most hashes that it takes in one call. */
  readonly hashesPerCall: number;
  /** Whether it wants to be told which certificate signs. */
  readonly sendsAlias: boolean;
  /** How the hub shows who it is when it asks for a holder; `none` where the provider cannot be asked. */
  readonly discovery: Discovery;
  /** Its own time-outs, for what is not as the settings say. */
  readonly timeouts: Timeouts;
  /** The application that a call is made for, where there is one. It is never kept. */
  readonly askedBy?: string;
};

export type Discovery = 'client' | 'application-token' | 'none';

export type Timeouts = {
  readonly discoverySeconds?: number;
  readonly tokenSeconds?: number;
  readonly certificatesSeconds?: number;
  readonly signatureSeconds?: number;
};

const ALL = 'PROVIDERS';

// One partition for all of them: there are few, and creating a session asks for every one.
export const providers = collection<Provider, string>({
  service: 'hub',
  name: 'provider',
  id: ({ name }) => name,
  key: (name) => ({ pk: ALL, sk: `PROVIDER#${name.toLowerCase()}` }),
});

// The country has about a dozen. A session's creation writes something for each in one transaction, of which the store
// takes 4 MB: a custom state of 10,000 characters that JSON escapes is 80 KB when it is sealed.
export const MAX_PROVIDERS = 40;

/** Every provider, by name. */
export async function listProviders(): Promise<readonly Stored<Provider>[]> {
  const page = await pageByCursor(providers, { pk: ALL, limit: MAX_PROVIDERS });
  return 'items' in page ? page.items : [];
}

/** The provider of this name, in large or small letters. */
export const findProvider = async (name: string): Promise<Stored<Provider> | undefined> =>
  PROVIDER_NAME.test(name) ? providers.get(name) : undefined;

/** It goes into paths and logs. */
export const PROVIDER_NAME = /^[A-Za-z0-9](?:[A-Za-z0-9._-]{0,38}[A-Za-z0-9])?$/;
