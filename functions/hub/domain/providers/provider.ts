import { collection, type Stored } from '../../../../shared/store/collection.ts';
import { firstItems } from '../../../../shared/store/cursor.ts';

/** A cloud certificate provider that speaks the national OAuth API, and its variations of that API. */
export type Provider = {
  /** Its name at the hub, in paths and logs. Case-insensitive. */
  readonly name: string;
  /** The company that operates it. */
  readonly company: string;
  /** Ends in `/oauth`, without a trailing slash. */
  readonly baseUrl: string;
  readonly badgeUrl: string | null;
  readonly clientId: string;
  /** It opens for this name, address and client alone. */
  readonly sealedSecret: string;
  /** The encoding of hashes. */
  readonly hashEncoding: 'base64' | 'hex';
  /** The encoding of token requests. */
  readonly tokenBody: 'form' | 'json';
  /** The most hashes that it accepts in one call. */
  readonly hashesPerCall: number;
  /** Whether a request to sign names the certificate. */
  readonly sendsAlias: boolean;
  /** How the hub authenticates a discovery; `none` where the provider has no discovery. */
  readonly discovery: Discovery;
  /** Time-outs that differ from the settings. */
  readonly timeouts: Timeouts;
};

export type Discovery = 'client' | 'application-token' | 'none';

export type Timeouts = {
  readonly discoverySeconds?: number;
  readonly tokenSeconds?: number;
  readonly certificatesSeconds?: number;
  readonly signatureSeconds?: number;
};

/** The kinds of calls to a provider. */
export type Operation = 'discovery' | 'application-token' | 'token' | 'certificates' | 'signature';

// These use up a code, or a token and a key. The other operations only read.
const WITH_EFFECT: ReadonlySet<Operation> = new Set(['token', 'signature']);

/** Whether a call changes something at the provider. */
export const hasEffect = (operation: Operation): boolean => WITH_EFFECT.has(operation);

const ALL = 'PROVIDERS';

// One partition: there are few providers, and creating a session reads them all.
export const providers = collection<Provider, string>({
  service: 'hub',
  name: 'provider',
  id: ({ name }) => name,
  key: (name) => ({ pk: ALL, sk: `PROVIDER#${name.toLowerCase()}` }),
});

// The country has about a dozen. Creating a session writes one item a provider in one transaction of at most 4 MB: a
// custom state of 10,000 characters that JSON escapes is 80 KB when it is sealed.
export const MAX_PROVIDERS = 40;

/** All providers, sorted by name. */
export const listProviders = (): Promise<readonly Stored<Provider>[]> =>
  firstItems(providers, { pk: ALL }, MAX_PROVIDERS);

/** The provider of this name, case-insensitive. */
export const findProvider = async (name: string): Promise<Stored<Provider> | undefined> =>
  PROVIDER_NAME.test(name) ? providers.get(name) : undefined;

/** Safe in paths and logs. */
export const PROVIDER_NAME = /^[A-Za-z0-9](?:[A-Za-z0-9._-]{0,38}[A-Za-z0-9])?$/;
