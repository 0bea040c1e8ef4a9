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
    'Uploads:KeptFor': duration('24:00:00', 'How long an upload waits for a document that uses it.', {
      min: 300, // an upload takes up to two minutes, and must not be collected while it still arrives
    }),
    'Uploads:LinkValidFor': duration(
      '01:00:00',
      'How long a file can be put by the link of a presigned upload.',
      {
        min: 60,
        max: 43_200, // the credentials of a function, which sign the link, live no longer
      },
    ),
    'ActionUrls:ValidFor': duration('7.00:00:00', 'How long the link to an action opens it.', { min: 60 }),
    'ActionUrls:EmbedOrigins': optional(
      frameOrigins('Whose pages may show `embedUrl` in a frame. None: only those of this host.'),
    ),
    'Signatures:TokenValidFor': duration(
      '00:10:00',
      'How long a signature that was started can be completed: a person finds the token and types the PIN.',
      { min: 30 },
    ),
    'Signatures:TimestampAuthorities': optional(
      addresses(
        'Authorities that date every signature, asked in this order. None: signatures carry no timestamp.',
      ),
    ),
    ...certificateSettings,
    MaxWebhooksPerOrganization: count(5, 'Webhooks that one organization may register.', {
      min: 1,
      max: 20, // what one change of a document can record events for
    }),
    DocumentConcludedWebhookDelayInSeconds: duration(
      60,
      'How long DocumentConcluded waits, so that receivers read a document whose final processing is over.',
    ),
    NumberDocumentsPerDocumentsCreatedWebhookRound: count(
      100,
      'Documents that one DocumentsCreated event carries at most.',
      { min: 1, max: 100 }, // what an event may weigh
    ),
    'Webhooks:MaxAttempts': count(10, 'Attempts of a delivery before it is given up, the first included.', {
      min: 1,
      max: 100,
    }),
    'Webhooks:Timeout': duration(
      30,
      'For one attempt. A status that came in time counts, whether or not the body of the answer ends.',
      {
        min: 1,
        max: 60, // what fits in the time of the function that delivers
      },
    ),
    'Webhooks:ConcurrencyPerWebhook': count(10, 'Attempts under way at once to one webhook.', {
      min: 1,
      max: 32, // connections to one host
    }),
    'Webhooks:RetryFactor': count(100, 'The delays before retries, in percent of the published table.', {
      min: 1,
    }),
    'Webhooks:RetryAfterMax': duration(
      '01:00:00',
      'The longest wait that the Retry-After of a receiver gets.',
    ),
    'Webhooks:KeptFor': duration(
      '30.00:00:00',
      'How long deliveries that ended can be looked up and replayed.',
      { min: 86_400 }, // retries alone take hours
    ),
    'Webhooks:AllowPrivateNetworks': flag(
      false,
      'Lets webhooks reach private and loopback machines. Only the local stage takes it.',
    ),
    'Webhooks:SealingKey': sealingKey(
      'Seals the tokens and secrets of webhooks in the store. 32 bytes in base64; the local engine makes its own.',
    ),
    'Webhooks:Billing:Url': text('', 'Where InvoiceClosed is sent, for all organizations. Empty: nowhere.'),
    'Webhooks:Billing:AuthType': choice(
      'NoAuth',
      AUTH_TYPES,
      'How calls to the billing webhook authenticate.',
    ),
    'Webhooks:Billing:Token': secret('', 'What they authenticate with, exactly as it is sent.'),
    'Billing:DocumentPrice': count(0, 'Price of one document in centavos; 0 charges nothing.'),
    'Billing:SignaturePrice': count(0, 'Price of one signature in centavos; 0 charges nothing.'),
    'Billing:ApprovalPrice': count(0, 'Price of one approval in centavos; 0 charges nothing.'),
    'Downloads:TicketValidFor': duration(
      '00:05:00',
      'How long the link of a download opens it without a key.',
      { min: 10 },
    ),
    'Downloads:MaxBase64Bytes': bytes(
      26_214_400,
      'Largest file that is answered inside of JSON, where it is held whole; larger ones are downloaded.',
    ),
    'Downloads:MaxDrawnBytes': bytes(
      20_971_520,
      'Largest PDF that marks and footers are drawn on: in memory it takes many times its size.',
    ),
    'Downloads:DrawingTimeout': duration(
      20,
      'For drawing on one PDF. One that takes longer is left as it is.',
      {
        min: 1,
        max: 45, // the function that draws has 60 s
      },
    ),
    'Verification:Public': flag(
      false,
      'Lets anyone verify files, and opens the page for it. Otherwise POST /api/verification asks for a key.',
    ),
    'Verification:MaxFileBytes': bytes(26_214_400, 'Largest file that is verified, which is held whole.'),
    'Verification:PermitLimit': count(
      30,
      'Files that one address may have verified in a minute without a key.',
      {
        min: 1,
      },
    ),
    'Verification:MaxConcurrent': count(
      10,
      'Files verified at once, over all instances. Whoever finds no place is answered 429.',
      { min: 1 },
    ),
    'Verification:MaskCpf': flag(
      true,
      'Shows of a CPF its middle alone (***.982.247-**), and no birth date, RG or e-mail of a signer.',
    ),
  },
  [
    (values) =>
      values['Webhooks:SealingKey'] === '' && !isLocal()
        ? 'Setting Webhooks:SealingKey is not set: the tokens and secrets of webhooks cannot be kept without it. Make one with openssl rand -base64 32.'
        : undefined,
    (values) =>
      values['Webhooks:AllowPrivateNetworks'] && !isLocal()
        ? 'Setting Webhooks:AllowPrivateNetworks is for the local stage only: elsewhere it would open the network of the functions to whoever registers a webhook.'
        : undefined,
    (values) =>
      values['Webhooks:Billing:Url'] !== '' &&
      !/^https?:$/.test(URL.parse(values['Webhooks:Billing:Url'])?.protocol ?? '')
        ? 'Setting Webhooks:Billing:Url must be an absolute http or https address.'
        : undefined,
    (values) =>
      values['Webhooks:Billing:AuthType'] !== 'NoAuth' && values['Webhooks:Billing:Token'] === ''
        ? 'Setting Webhooks:Billing:AuthType asks for a token: give Webhooks:Billing:Token too.'
        : undefined,
  ],
);
