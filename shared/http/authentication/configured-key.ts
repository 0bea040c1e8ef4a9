import { hashSecret, matchesSecret } from '../../access/secrets.ts';
import type { Refusal } from '../../errors/errors.ts';
import type { Authenticator } from './authenticator.ts';

type Configured = {
  readonly header: () => string;
  readonly key: () => string;
  /** What to answer while no key is configured: nobody can be let in. */
  readonly misconfigured: () => Refusal;
};

/**
 * One operator key, from the settings. Compared in constant time.
 * @example authenticate: configuredKey({ header: () => settings['Auth:ApiKeyHeader'], key: () => settings['Auth:ApiKey'], misconfigured })
 */
export const configuredKey = ({
  header,
  key,
  misconfigured,
}: Configured): Authenticator & { readonly keyHeader: () => string } => ({
  keyHeader: header,
  isKeyChosen: true,
  get schemes() {
    return { key: { type: 'apiKey', in: 'header', name: header() } };
  },
  refuses: () => [misconfigured().code],
  async identify(call) {
    if (key() === '') throw misconfigured();
    const offered = call.headers[header().toLowerCase()] ?? '';
    if (!matchesSecret(hashSecret(key()), offered)) return undefined;
    return { application: 'operator', keyId: 'configured', permissions: ['*'], registered: {} };
  },
});
