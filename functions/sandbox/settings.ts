import { bytes, count, duration } from '../../shared/settings/kinds.ts';
import { defineSettings } from '../../shared/settings/settings.ts';

export const settings = defineSettings('sandbox', {
  'Receiver:TextBytes': bytes(
    102_400,
    'A body up to this size is shown in the list; a larger one by size and hash.',
  ),
  'Receiver:Listed': count(100, 'Deliveries shown, the newest first.', { min: 1, max: 1000 }),
  'Receiver:KeptFor': duration('24:00:00', 'How long a delivery is kept.', { min: 60 }),
});
