import { applicationSettings } from '../../shared/http/application-settings.ts';
import { certificateSettings } from '../../shared/pki/verdict/settings.ts';
import { platformKeyRule, platformSettings } from '../../shared/platform/settings.ts';
import {
  bytes,
  count,
  duration,
  flag,
  optional,
  requiredWhenDeployed,
  socketAddress,
  text,
} from '../../shared/settings/kinds.ts';
import { defineSettings } from '../../shared/settings/settings.ts';
import { frameOrigins } from '../../shared/ui/frame-origins.ts';

export const settings = defineSettings(
  'session',
  {
    ...applicationSettings,
    'Throttle:ConcurrencyLimit': count(
      200,
      'Calls of the contract that run at once, over all instances. One application leaves a fifth of the free slots to others.',
      {
        min: 1,
      },
    ),
    'Throttle:QueueLimit': count(
      50,
      'Calls that may wait for a slot. The next one is answered SERVER_BUSY at once.',
    ),
    'Throttle:SessionsPerAddress': count(
      1_200,
      'Sessions that one address may create in a minute, over all instances. Each instance may let a twentieth more pass.',
      { min: 20 },
    ),
    'Sessions:DefaultDuration': duration('01:00:00', 'The window of a session whose request names none.', {
      min: 1,
    }),
    'Sessions:MaxDuration': duration('24:00:00', 'The longest window. A longer request is cut to it.', {
      min: 1,
    }),
    'Sessions:MaxPinFailures': count(5, 'Failed PINs of one CPF, over all keys, before it is locked out.', {
      min: 1,
      max: 50, // half of the failures that the store keeps
    }),
    'Sessions:PinFailureWindow': duration('00:15:00', 'How long a failed PIN counts.', { min: 1 }),
    'Sessions:SignatureAllowance': optional(
      count(
        1,
        'Signing calls after which a session ends; fixed when it is created. Without it, no number of calls ends a session.',
        {
          min: 1,
        },
      ),
    ),
    'Sessions:Epoch': text(
      '',
      'A new text at every start or deployment, and no secret. Sessions on vault certificates end with it.',
    ),
    'Sessions:PinPromptTimeout': duration(
      60,
      'How long the holder may take to answer at the workstation; the create request stays open.',
      { min: 1 },
    ),
    'Sessions:PinRelayTimeout': duration(
      5,
      'How long a workstation may take to compare a PIN. A slower one counts as offline.',
      { min: 1 },
    ),
    'Signing:HashSignTimeout': duration(25, 'How long a workstation may take to sign a hash.', { min: 1 }),
    'Signing:WorkstationReconnectGrace': duration(
      15,
      'How long a workstation may be away during a signature before it counts as offline.',
      { min: 1 },
    ),
    'Agents:PollSeconds': duration(
      20,
      'How long the poll of an idle agent is held. API Gateway cuts it at 29 s.',
      { min: 1, max: 25 },
    ),
    'Agents:BusyPollSeconds': duration(
      2,
      'The same for an agent with work in hand: one that was killed is missed soon.',
      { min: 1, max: 25 },
    ),
    'Agents:OnlineFor': duration(
      30,
      'How long an agent counts as online after the start of its last poll. Must be longer than a poll.',
      { min: 1 },
    ),
    'Agents:SocketUrl': optional(
      socketAddress(
        'Where agents connect by WebSocket. A deployment, the engine and the host set their own; without it agents poll.',
      ),
    ),
    'Signing:RequestBudget': duration(
      60,
      'How long a signing call may take before it is answered SIGN_TIMEOUT.',
      {
        min: 1,
      },
    ),
    'Signing:MaxDocumentBytes': bytes(10_485_760, 'Largest document, decoded.'),
    'Signing:TransportHeadroomBytes': bytes(65_536, 'Bytes of a request beside its documents.'),
    'Signing:MaxBatchItems': count(50, 'Documents in one batch.', { min: 1 }),
    'Uploads:CorsOrigins': optional(
      frameOrigins('The origins whose pages may put documents by the links of uploads. None: servers only.'),
    ),
    'Signing:SignerConcurrency': count(
      32,
      'Documents at the signature service at once, over all instances.',
      {
        min: 1,
      },
    ),
    'Signing:StrandedAfter': duration(
      '00:10:00',
      'How long after it was sent an unsigned document is canceled.',
      { min: 60 },
    ),
    'Signing:SignerCancelBudget': duration(
      3,
      'How long canceling a document at the signature service may take.',
      { min: 1 },
    ),
    ...platformSettings,
    'Signer:BaseAddress': requiredWhenDeployed(
      platformSettings['Signer:BaseAddress'],
      'the session server signs at a document-signature platform, such as https://a1b2c3.execute-api.sa-east-1.amazonaws.com/prod/documents.',
    ),
    'Signer:ApiKey': requiredWhenDeployed(
      platformSettings['Signer:ApiKey'],
      'the document-signature platform refuses calls without a key. Issue one with npm run admin -- keys issue.',
    ),
    'Signer:FolderId': optional(text('', 'The folder of the platform for documents. Without it, the root.')),
    ...certificateSettings,
    'Vault:Enabled': flag(true, 'Whether sessions may use certificates of the vault.'),
    'Vault:RevalidationInterval': duration('01:00:00', 'How often the verdict on a certificate is renewed.', {
      min: 60,
    }),
    'Audit:RetentionDays': count(365, 'How long the audit trail is kept.', { min: 1 }),
  },
  [
    (values) =>
      values['Sessions:MaxDuration'] < values['Sessions:DefaultDuration']
        ? 'Setting Sessions:MaxDuration must not be less than Sessions:DefaultDuration.'
        : undefined,
    (values) =>
      values['Signing:HashSignTimeout'] + values['Signing:WorkstationReconnectGrace'] >
      values['Signing:RequestBudget']
        ? 'Setting Signing:RequestBudget must hold Signing:HashSignTimeout and Signing:WorkstationReconnectGrace together.'
        : undefined,
    (values) =>
      values['Agents:OnlineFor'] <= values['Agents:PollSeconds']
        ? 'Setting Agents:OnlineFor must be more than Agents:PollSeconds: an agent that waits would be offline.'
        : undefined,
    (values) =>
      values['Signing:StrandedAfter'] <= values['Signing:RequestBudget']
        ? 'Setting Signing:StrandedAfter must be more than Signing:RequestBudget: a call may still be working.'
        : undefined,
    platformKeyRule,
  ],
);
