/** Names that every person, test and example of the local stage uses. None of them exists in a deployment. */

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

/** The folder of the document platform whose documents the batch service signs. */
export const SIGNER_FOLDER_ID = '44444444-4444-4444-8444-444444444444';

/** The bearer token of the document platform's notifications to the batch service. */
export const SIGNER_SECRET = 'sinete-local-signer-secret';

/** The values that are registered for the sandbox's application. */
export const registeredFor = (rootUrl: string): Record<string, string[]> => ({
  redirectUris: [`${rootUrl}/sandbox/client/return`, 'http://localhost:9999/return'],
  returnUrls: [`${rootUrl}/sandbox/client/return`, 'http://localhost:9999/return'],
  trustedOrigins: ['http://localhost:9999'],
  organizations: [ORGANIZATION_ID, PERSONAL_ORGANIZATION_ID],
});
