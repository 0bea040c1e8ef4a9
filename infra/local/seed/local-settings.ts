import { SANDBOX_KEY, SIGNER_SECRET } from '../../../functions/sandbox/sandbox-data.ts';

/** Settings by which the PKI core has the sandbox judge faces. */
export const biometricsAt = (rootUrl: string): Record<string, string> => ({
  Biometrics__Provider: 'Http',
  Biometrics__ProviderUrl: `${rootUrl}/sandbox/biometrics`,
  Biometrics__ProviderName: 'Sandbox',
});

/** Settings of the local stage. A deployment sets them in its own environment. */
export const LOCAL_SETTINGS: Readonly<Record<string, string>> = {
  Auth__ApiKey: SANDBOX_KEY,
  // One thread serves all functions.
  Http__ShareProcessor: 'true',
  Network__AllowPrivateAddresses: 'true',
  Webhooks__AllowPrivateNetworks: 'true',
  Verification__Public: 'true',
  Signer__ApiKey: SANDBOX_KEY,
  Signer__WebhookSecret: SIGNER_SECRET,
  Storage__Inputs: 'inbox=input/inbox,remessas=input/remessas,spare=input/spare',
  // Filled in by the reference pages.
  SANDBOX_KEY,
};
