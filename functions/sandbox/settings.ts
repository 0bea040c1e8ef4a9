import { bytes, count, duration, text } from '../../shared/settings/kinds.ts';
import { defineSettings } from '../../shared/settings/settings.ts';

export const settings = defineSettings('sandbox', {
  'Authority:KeyFolder': text(
    '',
    "A folder that keeps the holders' keys for other authorities to use again. Empty: each authority makes its own.",
  ),
  'Receiver:TextBytes': bytes(
    102_400,
    'A body up to this size is shown in the list; a larger one by size and hash.',
  ),
  'Receiver:Listed': count(100, 'Deliveries shown, the newest first.', { min: 1, max: 1000 }),
  'Receiver:KeptFor': duration('24:00:00', 'How long a delivery is kept.', { min: 60 }),
  'Providers:SilentFor': duration(120, 'How long the provider gamma lets its callers wait for nothing.', {
    max: 140, // its functions have 150
  }),
  'Providers:CodeLifetime': duration(60, 'How long an authorization code of a provider is good for.', {
    min: 1,
  }),
});
