import { duration, text } from '../../shared/settings/kinds.ts';
import { defineSettings } from '../../shared/settings/settings.ts';

export const settings = defineSettings('sandbox', {
  'Authority:KeyFolder': text(
    '',
    "A folder that keeps the holders' keys for other authorities to use again. Empty: each authority makes its own.",
  ),
  'Providers:SilentFor': duration(120, 'How long the provider gamma lets its callers wait for nothing.', {
    max: 140, // its functions have 150
  }),
});
