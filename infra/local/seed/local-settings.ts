import {
  APPROVER_LINK_SECRET,
  CREDENTIALS_KEY,
  ORGANIZATION_ID,
  SANDBOX_CONTEXT,
  SANDBOX_KEY,
  SIGNER_SECRET,
  UNIVERSITY_ID,
} from '../../../functions/sandbox/sandbox-data.ts';

/** Settings by which the PKI core has the sandbox judge faces. */
export const biometricsAt = (rootUrl: string): Record<string, string> => ({
  Biometrics__Provider: 'Http',
  Biometrics__ProviderUrl: `${rootUrl}/sandbox/biometrics`,
  Biometrics__ProviderName: 'Sandbox',
});

/** Settings by which the sandbox's timestamp authority stamps: signed files again, and what clients of the PKI core ask for. */
export const timestampsAt = (rootUrl: string): Record<string, string> => ({
  Restamps__TimestampAuthorities: `${rootUrl}/sandbox/pki/timestamp`,
  pki__Signatures__TimestampAuthorities: `${rootUrl}/sandbox/pki/timestamp`,
});

/** Settings of the local stage. A deployment sets them in its own environment. */
export const LOCAL_SETTINGS: Readonly<Record<string, string>> = {
  Auth__ApiKey: SANDBOX_KEY,
  Network__AllowPrivateAddresses: 'true',
  Webhooks__AllowPrivateNetworks: 'true',
  Verification__Public: 'true',
  // A minute elsewhere: who tries it out waits for the last event of a document.
  DocumentConcludedWebhookDelayInSeconds: '2',
  Signer__ApiKey: SANDBOX_KEY,
  // Its documents and their events are apart from those of everyone else.
  credentials__Signer__ApiKey: CREDENTIALS_KEY,
  Signer__WebhookSecret: SIGNER_SECRET,
  ApproverPortal__LinkSecret: APPROVER_LINK_SECRET,
  Hub__ApiKey: SANDBOX_KEY,
  Liveness__ApiKey: SANDBOX_KEY,
  Workstations__ApiKey: SANDBOX_KEY,
  // Members of the sandbox's organization log in with certificates of its own authority.
  PkiCore__ApiKey: SANDBOX_KEY,
  PkiCore__SecurityContextId: SANDBOX_CONTEXT,
  Storage__Inputs: 'inbox=input/inbox,remessas=input/remessas,spare=input/spare',
  // Filled in by the reference pages and the webhooks page.
  SANDBOX_KEY,
  SANDBOX_ORGANIZATION: ORGANIZATION_ID,
  SANDBOX_UNIVERSITY: UNIVERSITY_ID,
};
