import { applicationLimitsOf } from '../../shared/http/application-settings.ts';
import { apiKey } from '../../shared/http/authentication/api-key.ts';
import { service } from '../../shared/http/service.ts';
import { PLATFORM_SITUATIONS } from '../../shared/http/situations.ts';
import { codeMessageDetailsStyle } from '../../shared/http/styles/code-message-details.ts';
import { may } from './domain/members/permissions.ts';
import { errors } from './errors.ts';
import { settings } from './settings.ts';

const MINUTE_SECONDS = 60;

// Calls of one address that reach the hub or a workstation. A person takes about ten for a signature, and an office has
// one address.
const WAYS_LIMIT = 600;
// Forms of the console: a draft is saved as it is edited, and an office has one address.
const FORMS_LIMIT = 1_200;
// Steps of log-ins of one address. A person takes five.
const LOGIN_LIMIT = 120;

export const documents = service({
  name: 'documents',
  title: 'Document-signature platform',
  description:
    'Organizations keep documents here, send them through flows of signers and approvers, and are told what happened.',
  tags: {
    organizations:
      'Organizations own folders, documents and webhooks. Their lifecycle is for administrators.',
    members: 'Members log in to the console of an organization, each with a role.',
    applications: 'Applications that an organization makes for itself, each with a role, and their keys.',
    folders: 'Folders hold the documents of an organization, in a tree.',
    uploads: 'Upload files before documents are created from them.',
    documents: 'Documents and their flow of signers and approvers.',
    flows: 'Flows that are kept for later documents, and the edit of a running one.',
    'marks-sessions':
      'Have a person place the marks of signatures on the pages, before documents are created.',
    downloads: 'Download a document in its different forms, with a key or by a ticket.',
    signing: 'Sign, approve or refuse a document, with a key or by an action URL.',
    notifications: 'Mail to the participants of documents.',
    verification: 'Verify the signatures of any file.',
    webhooks: 'Webhooks tell what happened to documents. Deliveries can be listed and replayed.',
  },
  settings,
  authenticate: apiKey('documents'),
  may,
  errors,
  style: codeMessageDetailsStyle,
  situations: PLATFORM_SITUATIONS,
  rates: {
    ways: () => ({ limit: WAYS_LIMIT, windowSeconds: MINUTE_SECONDS }),
    forms: () => ({ limit: FORMS_LIMIT, windowSeconds: MINUTE_SECONDS }),
    login: () => ({ limit: LOGIN_LIMIT, windowSeconds: MINUTE_SECONDS }),
    verification: () => ({ limit: settings['Verification:PermitLimit'], windowSeconds: MINUTE_SECONDS }),
  },
  unknownOptions: 'OptionNotSupported',
  applicationLimits: () => applicationLimitsOf(settings),
});
