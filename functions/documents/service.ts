import { applicationLimitsOf } from '../../shared/http/application-settings.ts';
import { apiKey } from '../../shared/http/authentication/api-key.ts';
import { service } from '../../shared/http/service.ts';
import { PLATFORM_SITUATIONS } from '../../shared/http/situations.ts';
import { codeMessageDetailsStyle } from '../../shared/http/styles/code-message-details.ts';
import { errors } from './errors.ts';
import { settings } from './settings.ts';

const MINUTE_SECONDS = 60;

// Calls of one address that reach the hub or a workstation. A person takes about ten for a signature, and an office has
// one address.
const WAYS_LIMIT = 600;

export const documents = service({
  name: 'documents',
  title: 'Document-signature platform',
  description:
    'Organizations keep documents here, send them through flows of signers and approvers, and are told what happened.',
  tags: {
    organizations:
      'Organizations own folders, documents and webhooks. Their lifecycle is for administrators.',
    folders: 'Folders hold the documents of an organization, in a tree.',
    uploads: 'Upload files before documents are created from them.',
    documents: 'Documents and their flow of signers and approvers.',
    downloads: 'Download a document in its different forms, with a key or by a ticket.',
    signing: 'Sign, approve or refuse a document, with a key or by an action URL.',
    notifications: 'Mail to the participants of documents.',
    verification: 'Verify the signatures of any file.',
    webhooks: 'Webhooks tell what happened to documents. Deliveries can be listed and replayed.',
  },
  settings,
  authenticate: apiKey('documents'),
  errors,
  style: codeMessageDetailsStyle,
  situations: PLATFORM_SITUATIONS,
  rates: {
    ways: () => ({ limit: WAYS_LIMIT, windowSeconds: MINUTE_SECONDS }),
    verification: () => ({ limit: settings['Verification:PermitLimit'], windowSeconds: MINUTE_SECONDS }),
  },
  unknownOptions: 'OptionNotSupported',
  applicationLimits: () => applicationLimitsOf(settings),
});
