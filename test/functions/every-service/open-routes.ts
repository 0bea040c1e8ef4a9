import { SERVICES } from '../../../shared/settings/names.ts';

// Everything else asks for a credential. A route joins this list by decision, not by accident.
export const OPEN: readonly string[] = [
  'batch/get-health',
  'batch/get-ready',
  'batch/get-asset',
  // An operator who has the key, or had a session, and wants another.
  ...['get-login-page', 'log-in', 'log-out'].map((name) => `batch/${name}`),
  // The language and the logo of pages, the login among them.
  ...['set-culture', 'get-customer-logo'].map((name) => `batch/${name}`),
  // Whoever sends notifications has their secret instead; without one the service answers that it takes none.
  'batch/receive-notification',
  // Whoever knows the id of a job and the address of an approver decides; the form for it shows nothing of any job.
  'batch/decide',
  'batch/get-approve-page',
  // Whoever comes by a link to the portal has its token instead.
  'batch/open-link',
  // Redirects alone: to the identity provider, and back from it or from a hub with what was given out there.
  ...['begin-idp-login', 'complete-idp-login', 'return-from-cloud', 'finish-cloud-authorization'].map(
    (name) => `batch/${name}`,
  ),
  'compact/get-health',
  'compact/get-liveness',
  'compact/get-ready',
  // Whoever has been handed a credential has its code instead.
  ...['get-verification-page', 'get-credential-page', 'get-asset'].map((name) => `credentials/${name}`),
  // Members who want a session.
  ...['show-login', 'submit-login'].flatMap((name) => [`documents/${name}`, `credentials/${name}`]),
  'documents/redirect-to-webhooks',
  'documents/get-verification-page',
  // Logos of organizations, which are in mail too.
  'documents/get-logo',
  'documents/get-embed-script',
  // Whoever has the evidence of a document has its code instead.
  ...['verify-by-code', 'get-verified-content', 'get-signatures-by-code'].map((name) => `documents/${name}`),
  // Whoever comes by an action URL has its ticket instead.
  'documents/sign-electronically-by-key',
  ...['start-signature', 'complete-signature', 'approve-document', 'refuse-document'].map(
    (name) => `documents/${name}-by-key`,
  ),
  ...['begin-cloud-visit', 'look-for-certificate', 'sign-in-cloud'].map((name) => `documents/${name}`),
  ...['ask-for-token', 'await-token', 'find-other-documents'].map((name) => `documents/${name}`),
  // Whoever comes by the address of a marks session has its ticket instead.
  ...['get-marks-page', 'place-marks', 'get-marks-session-content'].map((name) => `documents/${name}`),
  // Redirects alone: back from a hub, with a session that this browser's cookie knows.
  'documents/return-from-cloud',
  'pki/return-from-session-cloud',
  'documents/get-download',
  'documents/get-action-content',
  'documents/get-action-details',
  'documents/get-action-page',
  'documents/send-or-check-code',
  'documents/sign-at-page',
  'documents/return-from-liveness',
  'documents/get-asset',
  // A user comes back from a provider with a `state` that was given out for it.
  'hub/receive-callback',
  'hub/get-asset',
  // Says nothing of any session: what it shows, its script asks for with the token.
  'pki/get-signature-session-page',
  // Whoever comes by the address of a biometric session has its token instead.
  'pki/get-bio-page',
  ...['begin-bio-capture', 'submit-bio-capture', 'abort-bio-session'].map((name) => `pki/${name}`),
  ...['give-bio-location', 'return-bio-session'].map((name) => `pki/${name}`),
  // A version, for clients that choose their routes by it.
  'pki/get-system-info',
  'pki/get-asset',
  ...['credentials', 'documents', 'hub', 'pki', 'session'].map((service) => `${service}/get-health`),
  ...SERVICES.flatMap((service) =>
    ['get-openapi', 'get-reference', 'refuse-unknown-route'].map((name) => `${service}/${name}`),
  ),
];
