import { duration } from '../../shared/settings/kinds.ts';
import { defineSettings } from '../../shared/settings/settings.ts';

export const settings = defineSettings('hub', {
  'Sessions:DefaultLifetime': duration(
    300,
    'Lifetime asked of a provider when the client names none. The provider may grant less.',
    { min: 1 },
  ),
});
