import {
  identityProviderRule,
  identityProviderSettings,
} from '../../shared/access/identity-provider/settings.ts';
import { hubSettings } from '../../shared/hub/settings.ts';
import { mailSettings, senderRule } from '../../shared/mail/settings.ts';
import { certificateSettings } from '../../shared/pki/verdict/settings.ts';
import { platformKeyRule, platformSettings } from '../../shared/platform/settings.ts';
import {
  address,
  addresses,
  bytes,
  cookieName,
  count,
  duration,
  flag,
  headerKey,
  optional,
  secret,
  text,
  timeOfDay,
  timeZone,
} from '../../shared/settings/kinds.ts';
import { defineSettings } from '../../shared/settings/settings.ts';
import { frameOrigins } from '../../shared/ui/frame-origins.ts';
import { inputFolders, isWorkFolder, workStore } from './storage-setting.ts';

const policyFile = (format: string) =>
  optional(
    text('', `The DER file of the signature policy of ${format} signatures. Without it they name none.`),
  );
const policyUri = (format: string) =>
  optional(
    address('', `Where that policy of ${format} signatures is published. Without it they do not say.`),
  );

const policySettings = {
  'Signing:Policies:Pades': policyFile('PAdES'),
  'Signing:Policies:Cades': policyFile('CAdES'),
  'Signing:Policies:Xades': policyFile('XAdES'),
  'Signing:PolicyUris:Pades': policyUri('PAdES'),
  'Signing:PolicyUris:Cades': policyUri('CAdES'),
  'Signing:PolicyUris:Xades': policyUri('XAdES'),
};

const days = (value: number, why: string) =>
  count(value, `Days that ${why}. 0 keeps them forever.`, { min: 0, max: 36_500 });

const retentionSettings = {
  'Retention:JobDays': days(90, 'jobs are kept after they have ended'),
  'Retention:OutputDays': days(90, 'files stay in output/'),
  'Retention:ErrorDays': days(90, 'files stay in error/'),
  'Retention:EventDays': days(365, 'operational events are kept'),
};

const signerSettings = {
  ...platformSettings,
  'Signer:PollIntervalSeconds': count(30, 'Seconds between two looks at the documents that wait there.', {
    min: 1,
    max: 3_600,
  }),
  'Signer:TimeoutHours': count(168, 'Hours that a job waits for its signers.', { min: 1, max: 8_760 }),
  'Signer:MaxConsecutiveApiFailures': count(5, 'Polls in a row that may fail before the job does.', {
    min: 0,
    max: 1_000,
  }),
  'Signer:FolderSweepSeconds': count(60, 'Seconds between two looks at the signer folders.', {
    min: 1,
    max: 3_600,
  }),
  'Signer:WebhookSecret': secret('', 'The bearer token of notifications. Without it, none are taken.'),
  'Signer:MaxWaitingChecks': count(1_000, 'Notified documents that may wait to be read.', {
    min: 1,
    max: 100_000,
  }),
};

const approvalSettings = {
  'ApproverPortal:LinkSecret': secret(
    '',
    'Makes the links of approvers to their portal: 32 characters or more. Without it there are no links. Another one ends every link and session.',
  ),
  'ApproverPortal:CookieName': cookieName('lbs-approver', 'The cookie of an approver in the portal.'),
  'ApproverPortal:SessionDays': count(30, 'Days that a session of the portal lasts after its last use.', {
    min: 1,
    max: 365,
  }),
  'ApproverSecondFactor:Enabled': flag(
    false,
    'Whether approvers decide in the portal only, with a second factor.',
  ),
  'ApproverSecondFactor:WindowMinutes': count(
    20,
    'Minutes after a right code in which no other is asked for. 0 asks for one with every decision.',
    { min: 0, max: 480 },
  ),
  ...hubSettings,
  ...identityProviderSettings,
  'Idp:RolesClaim': text('roles', 'The claim of the ID token with the roles Administrator and Approver.'),
  ...mailSettings,
};

const clusterSettings = {
  'Cluster:InstanceName': text(
    '',
    'The name of this instance. Instances that share one store have different names. Without it, the host of the public address.',
  ),
  'Cluster:HeartbeatSeconds': count(15, 'Seconds between two heartbeats of an instance.', {
    min: 1,
    max: 60,
  }),
  'Cluster:StaleAfterSeconds': count(
    60,
    'Seconds without a heartbeat after which an instance is stale: it claims nothing, and a live one takes over its jobs.',
    { min: 2, max: 3_600 },
  ),
};

const backupSettings = {
  'Backup:Enabled': flag(
    false,
    'Whether the store can be backed up. The same in every instance that shares the store.',
  ),
  'Backup:RetainCount': count(14, 'Backups that are kept. Older ones are deleted after a new one.', {
    min: 1,
    max: 1_000,
  }),
  'Backup:At': optional(timeOfDay('When a backup is made every day, in Backup:TimeZone. Without it, none.')),
  'Backup:TimeZone': timeZone('America/Sao_Paulo', 'The time zone of Backup:At.'),
  'Backup:Target': workStore(
    'The share that has backups/. Without it they are in the bucket, beside the files that they describe.',
  ),
};

const logSinkSettings = {
  'LogSink:Enabled': flag(
    false,
    'Whether warnings and errors of the log are kept in the event log, beside the output of the functions.',
  ),
  'LogSink:QueueLimit': count(
    1_000,
    'Entries that may wait in one process to be written. More are dropped.',
    {
      min: 1,
      max: 100_000,
    },
  ),
};

const table = {
  'Auth:ApiKey': headerKey('The operator key. While it is empty nobody is let in.'),
  'Auth:ApiKeyHeader': text('X-API-Key', 'The header that carries the operator key.'),
  'Auth:CookieName': cookieName('lbs-auth', 'The cookie of an operator who has logged in.'),
  'Auth:CookieHours': count(8, 'Hours that a session lasts after its last use.', { min: 1, max: 720 }),
  'Swagger:EnabledInProduction': flag(false, 'Whether a deployment serves the browsable reference.'),
  ...certificateSettings,
  ...clusterSettings,
  ...backupSettings,
  ...logSinkSettings,
  'Branding:CustomerLogo': text(
    '',
    'The logo on the login page, the dashboard and the approver portal: a PNG, JPEG or SVG file. Without it there is none.',
  ),
  'Storage:Inputs': inputFolders(
    'Folders whose files are signed: `name=input/path` in the bucket, or `name=share:NAME/path?poll=SECONDS`, separated by commas.',
  ),
  'Storage:Work': workStore(
    'The share that has processing/, output/ and error/. Without it they are in the bucket.',
  ),
  'Storage:ShareTimeout': duration(20, 'How long a share may take to answer, or to send more of a file.', {
    min: 1,
    max: 120,
  }),
  'Upload:Enabled': flag(true, 'Whether files can be uploaded.'),
  'Upload:MaxBytes': bytes(104_857_600, 'Largest file that can be uploaded.'),
  'Upload:CorsOrigins': optional(
    frameOrigins('The origins whose pages may put files by a link. None: servers only.'),
  ),
  'Export:MaxRows': count(50_000, 'Most jobs in one exported workbook.', { min: 1, max: 1_000_000 }),
  'Pipeline:RejectAlreadyProcessedFileNames': flag(
    true,
    'Whether a file is refused when a completed or active job has its name.',
  ),
  'Pipeline:PollIntervalSeconds': count(2, 'Seconds between two looks for queued jobs.', { min: 1, max: 60 }),
  'Pipeline:Boot': text('', 'Set by the local engine at every start, to find the jobs of the start before.'),
  'Pipeline:MaxConcurrency': count(1, 'Jobs signed at once.', { min: 1, max: 32 }),
  ...policySettings,
  'Signing:TimestampAuthorities': optional(
    addresses('Timestamp authorities for profiles with `timestamp`, tried in this order.'),
  ),
  ...signerSettings,
  ...approvalSettings,
  'Cnab240:TimeZone': timeZone('America/Sao_Paulo', 'Where a payment date is compared with today.'),
  ...retentionSettings,
  'Metrics:RequireApiKey': flag(true, 'Whether the metrics ask for the operator key.'),
  'Readiness:RequireApiKey': flag(false, 'Whether readiness asks for the operator key.'),
  'RateLimiting:Upload:PermitLimit': count(30, 'Uploads per window and address.', { min: 1 }),
  'RateLimiting:Upload:Window': duration(60, 'Length of that window.', { min: 1 }),
  'RateLimiting:Actions:PermitLimit': count(60, 'Operator actions per window and address.', { min: 1 }),
  'RateLimiting:Actions:Window': duration(60, 'Length of that window.', { min: 1 }),
  'RateLimiting:Export:PermitLimit': count(10, 'Exports of lists per window and address.', { min: 1 }),
  'RateLimiting:Export:Window': duration(60, 'Length of that window.', { min: 1 }),
  'RateLimiting:Approval:PermitLimit': count(10, 'Decisions per window and address.', { min: 1 }),
  'RateLimiting:Approval:Window': duration(60, 'Length of that window.', { min: 1 }),
  'RateLimiting:SignerNotification:PermitLimit': count(600, 'Notifications per window and address.', {
    min: 1,
  }),
  'RateLimiting:SignerNotification:Window': duration(60, 'Length of that window.', { min: 1 }),
};

const MIN_LINK_SECRET_CHARACTERS = 32;

export const settings = defineSettings('batch', table, [
  platformKeyRule,
  ({ 'ApproverPortal:LinkSecret': linkSecret }) =>
    linkSecret === '' || linkSecret.length >= MIN_LINK_SECRET_CHARACTERS
      ? undefined
      : `ApproverPortal:LinkSecret (ApproverPortal__LinkSecret) must have at least ${MIN_LINK_SECRET_CHARACTERS} characters: whoever guesses it decides for everybody. Make one with openssl rand -base64 32.`,
  identityProviderRule,
  senderRule,
  ({ 'Cluster:HeartbeatSeconds': heartbeat, 'Cluster:StaleAfterSeconds': stale }) =>
    heartbeat < stale
      ? undefined
      : 'Setting Cluster:StaleAfterSeconds must be more than Cluster:HeartbeatSeconds: every instance would be stale between two heartbeats.',
  ({ 'Storage:Inputs': inputs, 'Storage:Work': work }) => {
    const mixed = inputs.find((folder) => isWorkFolder(folder, work));
    return (
      mixed &&
      `Storage:Inputs (Storage__Inputs) must keep the folder ${mixed.name} out of processing/, output/ and error/ of Storage:Work: its own results would be signed again.`
    );
  },
]);
