/** The names that every person, test and example of the local stage uses. Nothing of it exists in a deployment. */

const SECRET = 'sinete-local-key';

/** Accepted by every service. */
export const SANDBOX_KEY = `sandbox|${SECRET}`;

/** Never accepted, each for a reason of its own that no answer tells. */
export const REFUSED_KEYS = [`revoked|${SECRET}`, `expired|${SECRET}`, `disabled|${SECRET}`];

/** Accepted, with no permissions. */
export const GUEST_KEY = `guest|${SECRET}`;

/** The security context of the PKI core whose root is the sandbox's. */
export const SANDBOX_CONTEXT = '803517ad-3bbc-4169-b085-60053a8f6dbf';

export const ORGANIZATION_ID = '11111111-1111-4111-8111-111111111111';
export const PERSONAL_ORGANIZATION_ID = '22222222-2222-4222-8222-222222222222';

/** What an operator would have registered for the sandbox's application. */
export const registeredFor = (rootUrl: string): Record<string, string[]> => ({
  redirectUris: [`${rootUrl}/sandbox/client/return`, 'http://localhost:9999/return'],
  returnUrls: ['http://localhost:9999/return'],
  trustedOrigins: ['http://localhost:9999'],
  organizations: [ORGANIZATION_ID, PERSONAL_ORGANIZATION_ID],
});

/** The settings by which the PKI core has the sandbox judge faces. */
export const biometricsAt = (rootUrl: string): Record<string, string> => ({
  Biometrics__Provider: 'Http',
  Biometrics__ProviderUrl: `${rootUrl}/sandbox/biometrics`,
  Biometrics__ProviderName: 'Sandbox',
});

/** Settings of the local stage: what a deployment gives by its own environment. */
export const LOCAL_SETTINGS: Readonly<Record<string, string>> = {
  Auth__ApiKey: SANDBOX_KEY,
  // One thread serves every function.
  Http__ShareProcessor: 'true',
  Network__AllowPrivateAddresses: 'true',
  Webhooks__AllowPrivateNetworks: 'true',
  Verification__Public: 'true',
  Signer__ApiKey: SANDBOX_KEY,
  // Filled in at the reference pages. No setting: only this stage reads it.
  SANDBOX_KEY,
};
