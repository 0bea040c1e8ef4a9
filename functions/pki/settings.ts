import { applicationSettings } from '../../shared/http/application-settings.ts';
import { validationSettings } from '../../shared/pki/verdict/settings.ts';
import { duration, filesById, optional, text } from '../../shared/settings/kinds.ts';
import { defineSettings } from '../../shared/settings/settings.ts';
import { biometricSettings, reachableProvider } from './biometrics/settings.ts';
import { signatureSessionSettings } from './signature-sessions/settings.ts';

export const settings = defineSettings(
  'pki',
  {
    ...applicationSettings,
    'Authentication:NonceLifetime': duration('00:10:00', 'How long a nonce can be signed and sent back.', {
      min: 30,
    }),
    'SecurityContexts:PkiBrazil': optional(
      text(
        '',
        'The roots of ICP-Brasil: files separated by commas, or PEM text itself. Unset, it is unknown.',
      ),
    ),
    'SecurityContexts:PkiItaly': optional(
      text('', 'The roots of the Italian infrastructure, in the same way. Unset, it is unknown.'),
    ),
    'SecurityContexts:WindowsServer': optional(
      text(
        '',
        'The roots that the Windows servers of the house trust, in the same way. Unset, it is unknown.',
      ),
    ),
    'SecurityContexts:Others': filesById(
      "Contexts of the operator's own: id=file, separated by commas. An id may have several files.",
    ),
    ...validationSettings,
    ...signatureSessionSettings,
    ...biometricSettings,
  },
  [reachableProvider],
);
