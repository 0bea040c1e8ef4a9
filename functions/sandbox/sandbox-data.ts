/** Names that every person, test and example of the local stage uses. None of them exists in a deployment. */

import type { ServiceName } from '../../shared/settings/names.ts';

const SECRET = 'sinete-local-key';

/** Accepted by every service. */
export const SANDBOX_KEY = `sandbox|${SECRET}`;

/** Never accepted. The answer does not say which of the reasons applies. */
export const REFUSED_KEYS = [`revoked|${SECRET}`, `expired|${SECRET}`, `disabled|${SECRET}`];

/** Accepted, with no permissions. */
export const GUEST_KEY = `guest|${SECRET}`;

/** The security context of the PKI core whose root is the sandbox's. */
export const SANDBOX_CONTEXT = '803517ad-3bbc-4169-b085-60053a8f6dbf';

export const ORGANIZATION_ID = '11111111-1111-4111-8111-111111111111';
export const PERSONAL_ORGANIZATION_ID = '22222222-2222-4222-8222-222222222222';

/** At the credential platform: a university that issues and registers, and one that registers. */
export const UNIVERSITY_ID = '33333333-3333-4333-8333-333333333333';
export const REGISTRAR_ID = '55555555-5555-4555-8555-555555555555';

/** The institute of each. */
export const INSTITUTE_ID = '66666666-6666-4666-8666-666666666666';
export const REGISTRAR_INSTITUTE_ID = '77777777-7777-4777-8777-777777777777';

/** Where the credential platform signs: an organization of its own at the document platform, and the key to it. */
export const CREDENTIALS_ORGANIZATION_ID = '88888888-8888-4888-8888-888888888888';
export const CREDENTIALS_KEY = `credentials|${SECRET}`;

/** A person with a certificate, as documents name their signers. */
export const sandboxSigner = (cpf: string, step: number) => ({
  ...{ name: `SANDBOX HOLDER ${cpf}`, cpf, email: `${cpf}@sandbox.example`, step },
});

/** The folder of the document platform whose documents the batch service signs. */
export const SIGNER_FOLDER_ID = '44444444-4444-4444-8444-444444444444';

/** The bearer token of the document platform's notifications to the batch service. */
export const SIGNER_SECRET = 'sinete-local-signer-secret';

/** Makes the links of approvers to the portal of the batch service. */
export const APPROVER_LINK_SECRET = 'sinete-local-approver-link-secret-01';

/** The organizations that the sandbox's key is scoped to. The first is where a call goes that names none. */
const ORGANIZATIONS: Partial<Record<ServiceName, readonly string[]>> = {
  documents: [ORGANIZATION_ID, PERSONAL_ORGANIZATION_ID, CREDENTIALS_ORGANIZATION_ID],
  credentials: [UNIVERSITY_ID, REGISTRAR_ID],
};

/** The values that are registered for the sandbox's application at a service. */
export const registeredFor = (service: ServiceName, rootUrl: string): Record<string, string[]> => ({
  redirectUris: [
    `${rootUrl}/sandbox/client/return`,
    'http://localhost:9999/return',
    // Approvers of the batch service sign with cloud certificates through the hub.
    `${rootUrl}/batch/approvals/cloud/return`,
    // Signers of documents and of signature sessions do so too.
    `${rootUrl}/documents/cloud/return`,
    `${rootUrl}/pki/cloud/return`,
    // Operators authorize the cloud certificates of profiles.
    `${rootUrl}/batch/cloud-certificates/return`,
  ],
  returnUrls: [
    `${rootUrl}/sandbox/client/return`,
    'http://localhost:9999/return',
    // Signers of documents show that they are present.
    `${rootUrl}/documents/liveness/return`,
  ],
  trustedOrigins: ['http://localhost:9999'],
  organizations: [...(ORGANIZATIONS[service] ?? [])],
});
