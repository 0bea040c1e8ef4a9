import {
  identityProviderRule,
  identityProviderSettings,
} from '../../shared/access/identity-provider/settings.ts';
import { mailSettings, senderRule } from '../../shared/mail/settings.ts';
import { pkiCoreSettings } from '../../shared/members/settings.ts';
import { certificateSettings } from '../../shared/pki/verdict/settings.ts';
import { platformKeyRule, platformSettings } from '../../shared/platform/settings.ts';
import { addresses, bytes, count, duration, flag, optional } from '../../shared/settings/kinds.ts';
import { defineSettings } from '../../shared/settings/settings.ts';
import { privateNetworksRule, webhookSettings } from '../../shared/webhooks/settings.ts';

export const settings = defineSettings(
  'credentials',
  {
    ...certificateSettings,
    ...platformSettings,
    MaxDegreesInBatch: count(50_000, 'Lines that one batch of degrees may have.', { min: 1, max: 1_000_000 }),
    'Batches:MaxBytes': bytes(
      268_435_456, // 5 kB a line; a function stores so much well within the 29 s of a call
      'Largest file of a batch of degrees.',
    ),
    'Batches:MaxLineBytes': bytes(
      1_048_576, // sixteen lines are in memory at once
      'Longest line of a batch. A degree with larger files is created alone.',
    ),
    'Batches:HandOversPerSecond': count(
      20,
      'Degrees of one batch whose files go to their signers in a second. Degrees that are created alone do not wait behind all of them.',
      { min: 1, max: 1_000 },
    ),
    UploadsPerRequest: count(50, 'Files that one request may have.', { min: 1, max: 500 }),
    'Xml:MaxBytes': bytes(10_485_760, 'Largest XML file.'),
    'Restamps:BeforeExpiry': duration(
      '30.00:00:00',
      'How long before its timestamp expires a file is stamped again.',
      {
        min: 3_600,
      },
    ),
    'Restamps:TimestampAuthorities': optional(
      addresses('Timestamp authorities for restamps, tried in this order. None: nothing is stamped again.'),
    ),
    'CancellationLists:NextUpdate': duration(
      '7.00:00:00',
      'How long a list of annulled degrees is the newest at most.',
      {
        min: 3_600,
      },
    ),
    'Webhooks:RestampEvents': flag(false, 'Whether the events of restamps are sent.'),
    ...webhookSettings,
    ...mailSettings,
    ...identityProviderSettings,
    ...pkiCoreSettings,
    'RateLimiting:Verification:PermitLimit': count(
      30,
      'Looks at the verification page per minute and address.',
      {
        min: 1,
      },
    ),
  },
  [platformKeyRule, privateNetworksRule, senderRule, identityProviderRule],
);
