import { applicationSettings } from '../../shared/http/application-settings.ts';
import { certificateSettings } from '../../shared/pki/verdict/settings.ts';
import {
  addresses,
  bytes,
  choice,
  count,
  duration,
  flag,
  optional,
  requiredWhenDeployed,
  sealingKey,
  secret,
  text,
} from '../../shared/settings/kinds.ts';
import { isLocal } from '../../shared/settings/names.ts';
import { defineSettings } from '../../shared/settings/settings.ts';
import { frameOrigins } from '../../shared/ui/frame-origins.ts';
import { AUTH_TYPES } from '../../shared/webhooks/webhook.ts';

export const settings = defineSettings(
  'documents',
  {
    ...applicationSettings,
    'Uploads:MaxBytes': bytes(104_857_600, 'Largest file of an upload.'),
    'Uploads:KeptFor': duration('24:00:00', 'How long an upload waits for a document to use it.', {
      min: 300, // an upload takes up to two minutes, and must not be collected while it is received
    }),
    'Uploads:LinkValidFor': duration(
      '01:00:00',
      'How long a file can be put by the link of a presigned upload.',
      {
        min: 60,
        max: 43_200, // the credentials of a function, which sign the link, last no longer
      },
    ),
    'Uploads:CorsOrigins': optional(
      frameOrigins(
        'The origins whose pages may use the links of presigned uploads and downloads. None: servers only.',
      ),
    ),
    'ActionUrls:ValidFor': duration('7.00:00:00', 'How long the link to an action is valid.', { min: 60 }),
    'ActionUrls:EmbedOrigins': optional(
      frameOrigins('The origins whose pages may show `embedUrl` in a frame. None: only this host.'),
    ),
    'Signatures:TokenValidFor': duration(
      '00:10:00',
      'How long a started signature can be completed: a person finds the token and types the PIN.',
      { min: 30 },
    ),
    'Signatures:TimestampAuthorities': optional(
      addresses(
        'Timestamp authorities for every signature, tried in this order. None: signatures carry no timestamp.',
      ),
    ),
    ...certificateSettings,
    MaxWebhooksPerOrganization: count(5, 'Webhooks that one organization may register.', {
      min: 1,
      max: 20, // the events that one change of a document can record
    }),
    DocumentConcludedWebhookDelayInSeconds: duration(
      60,
      'How long DocumentConcluded waits, so that receivers read a document after its final processing.',
    ),
    NumberDocumentsPerDocumentsCreatedWebhookRound: count(
      100,
      'Documents that one DocumentsCreated event carries at most.',
      { min: 1, max: 100 }, // the size limit of an event
    ),
    'Webhooks:MaxAttempts': count(10, 'Attempts of a delivery before it is given up, the first included.', {
      min: 1,
      max: 100,
    }),
    'Webhooks:Timeout': duration(
      30,
      'The timeout of one attempt. A status in time counts, even if the body of the response does not end.',
      {
        min: 1,
        max: 60, // fits in the time limit of the delivering function
      },
    ),
    'Webhooks:ConcurrencyPerWebhook': count(10, 'Concurrent attempts to one webhook in each process.', {
      min: 1,
      max: 32, // connections to one host
    }),
    'Webhooks:RetryFactor': count(100, 'The delays before retries, in percent of the published table.', {
      min: 1,
    }),
    'Webhooks:RetryAfterMax': duration(
      '01:00:00',
      'The longest wait that a receiver can request with Retry-After.',
    ),
    'Webhooks:KeptFor': duration(
      '30.00:00:00',
      'How long ended deliveries can be read and replayed.',
      { min: 86_400 }, // retries alone take hours
    ),
    'Webhooks:AllowPrivateNetworks': flag(
      false,
      'Lets webhooks reach private and loopback addresses. Only the local stage accepts it.',
    ),
    'Webhooks:SealingKey': requiredWhenDeployed(
      sealingKey(
        'Seals the tokens and secrets of webhooks in the store. 32 bytes in base64; the local engine makes its own.',
      ),
      'the tokens and secrets of webhooks cannot be stored without it. Make one with openssl rand -base64 32.',
    ),
    'Webhooks:Billing:Url': text(
      '',
      'The address that receives InvoiceClosed of all organizations. Empty: none.',
    ),
    'Webhooks:Billing:AuthType': choice(
      'NoAuth',
      AUTH_TYPES,
      'How calls to the billing webhook authenticate.',
    ),
    'Webhooks:Billing:Token': secret('', 'The token of these calls, exactly as it is sent.'),
    'Billing:DocumentPrice': count(0, 'Price of one document in centavos; 0 charges nothing.'),
    'Billing:SignaturePrice': count(0, 'Price of one signature in centavos; 0 charges nothing.'),
    'Billing:ApprovalPrice': count(0, 'Price of one approval in centavos; 0 charges nothing.'),
    'Downloads:TicketValidFor': duration('00:05:00', 'How long a download link is valid without a key.', {
      min: 10,
    }),
    'Downloads:MaxBase64Bytes': bytes(
      26_214_400,
      'Largest file inside of a JSON response, which is held in memory whole; larger ones are downloaded.',
    ),
    'Downloads:MaxDrawnBytes': bytes(
      20_971_520,
      'Largest PDF on which marks and footers are drawn: in memory it takes many times its size.',
    ),
    'Downloads:DrawingTimeout': duration(
      20,
      'The timeout for drawing on one PDF. A PDF that takes longer is not drawn on.',
      {
        min: 1,
        max: 45, // the function that draws has 60 s
      },
    ),
    'Verification:Public': flag(
      false,
      'Lets anyone verify files, and enables the page for it. Otherwise POST /api/verification requires a key.',
    ),
    'Verification:MaxFileBytes': bytes(
      26_214_400,
      'Largest file that is verified; it is held in memory whole.',
    ),
    'Verification:PermitLimit': count(30, 'Files that one address may verify in a minute without a key.', {
      min: 1,
    }),
    'Verification:MaxConcurrent': count(
      10,
      'Files verified at once, over all instances. Further requests are answered 429.',
      { min: 1 },
    ),
    'Verification:MaskCpf': flag(
      true,
      'Masks CPFs (***.982.247-**), and hides the birth date, RG and e-mail of a signer.',
    ),
  },
  [
    (values) =>
      values['Webhooks:AllowPrivateNetworks'] && !isLocal()
        ? 'Setting Webhooks:AllowPrivateNetworks is for the local stage only: elsewhere it would open the network of the functions to anyone who registers a webhook (SSRF).'
        : undefined,
    (values) =>
      values['Webhooks:Billing:Url'] !== '' &&
      !/^https?:$/.test(URL.parse(values['Webhooks:Billing:Url'])?.protocol ?? '')
        ? 'Setting Webhooks:Billing:Url must be an absolute http or https address.'
        : undefined,
    (values) =>
      values['Webhooks:Billing:AuthType'] !== 'NoAuth' && values['Webhooks:Billing:Token'] === ''
        ? 'Setting Webhooks:Billing:AuthType requires a token: set Webhooks:Billing:Token too.'
        : undefined,
  ],
);
