import { duration } from '../../shared/settings/kinds.ts';
import { defineSettings } from '../../shared/settings/settings.ts';

export const settings = defineSettings('pki', {
  'Authentication:NonceLifetime': duration('00:10:00', 'How long a nonce can be signed and sent back.', {
    min: 30,
  }),
});
