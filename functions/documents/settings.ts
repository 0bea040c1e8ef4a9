import {
  identityProviderRule,
  identityProviderSettings,
} from '../../shared/access/identity-provider/settings.ts';
import { applicationSettings } from '../../shared/http/application-settings.ts';
import { hubSettings } from '../../shared/hub/settings.ts';
import { mailSettings, senderRule } from '../../shared/mail/settings.ts';
import { pkiCoreSettings } from '../../shared/members/settings.ts';
import { certificateSettings } from '../../shared/pki/verdict/settings.ts';
import {
  address,
  addresses,
  bytes,
  choice,
  count,
  duration,
  flag,
  optional,
  secret,
  text,
} from '../../shared/settings/kinds.ts';
import { defineSettings } from '../../shared/settings/settings.ts';
import { frameOrigins } from '../../shared/ui/frame-origins.ts';
import { privateNetworksRule, webhookSettings } from '../../shared/webhooks/settings.ts';
import { AUTH_TYPES } from '../../shared/webhooks/webhook.ts';
import { workstationSettings } from '../../shared/workstation/settings.ts';

export const settings = defineSettings(
  'documents',
  {
    ...applicationSettings,
    'Uploads:MaxBytes': bytes(104_857_600, 'Largest file of an upload.'),
    'Uploads:KeptFor': duration('24:00:00', 'How long an upload waits for a document to use it.', {
      min: 300, // an upload takes up to two minutes, and must not be collected while it is received
    }),
    'Uploads:CorsOrigins': optional(
      frameOrigins(
        'The origins whose pages may use the links of presigned uploads and downloads. None: servers only.',
      ),
    ),
    'ActionUrls:EmbedOrigins': optional(
      frameOrigins(
        'The origins whose pages may show `embedUrl` in a frame, beside those of its organization. None: only this host.',
      ),
    ),
    'Signatures:TimestampAuthorities': optional(
      addresses(
        'Timestamp authorities for every signature, tried in this order. None: signatures carry no timestamp.',
      ),
    ),
    ...certificateSettings,
    ...hubSettings,
    ...workstationSettings,
    ...mailSettings,
    'Sms:Url': optional(
      address(
        '',
        'Where codes by SMS are handed in: POST of JSON, `to` and `text`. Without it no action may ask for one.',
      ),
    ),
    'Sms:ApiKey': secret('', 'Sent to it as a bearer token. Without it none is.'),
    'Liveness:BaseAddress': optional(
      address(
        '',
        'The PKI core by whose biometric sessions people show that they are present. Without it, this deployment’s own.',
      ),
    ),
    'Liveness:ApiKey': secret(
      '',
      'The API key for it, with the permission biometrics. Without it no action may ask for liveness.',
    ),
    ...identityProviderSettings,
    ...pkiCoreSettings,
    'Mail:RemindAfterDays': count(
      3,
      'Days after which somebody who has not acted is reminded by mail, up to three times. 0: never.',
      { max: 365 },
    ),
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
    ...webhookSettings,
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
    'Billing:ElectronicSignaturePrice': count(
      0,
      'Price of one electronic signature in centavos; 0 charges nothing.',
    ),
    'Billing:ApprovalPrice': count(0, 'Price of one approval in centavos; 0 charges nothing.'),
    'Downloads:MaxBase64Bytes': bytes(
      26_214_400,
      'Largest file inside of a JSON response, which is held in memory whole; larger ones are downloaded.',
    ),
    'Downloads:MaxDrawnBytes': bytes(
      20_971_520,
      'Largest PDF on which marks and footers are drawn: in memory it takes many times its size.',
    ),
    'Verification:Public': flag(
      false,
      'Lets anyone verify files, on the page too. Otherwise it takes codes alone, and POST /api/verification requires a key.',
    ),
    'Verification:MaxFileBytes': bytes(
      26_214_400,
      'Largest file that is verified; it is held in memory whole.',
    ),
    'Verification:PermitLimit': count(
      30,
      'Files and codes that one address may verify in a minute without a key.',
      {
        min: 1,
      },
    ),
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
    privateNetworksRule,
    senderRule,
    identityProviderRule,
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
