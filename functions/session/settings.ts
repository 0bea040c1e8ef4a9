import { count, duration } from '../../shared/settings/kinds.ts';
import { defineSettings } from '../../shared/settings/settings.ts';

export const settings = defineSettings('session', {
  'Throttle:ConcurrencyLimit': count(200, 'Contract calls that run at once, over all instances.', { min: 1 }),
  'Throttle:QueueLimit': count(
    50,
    'Calls that may wait for a place. The next one is told SERVER_BUSY at once.',
  ),
  'Throttle:QueueWait': duration(10, 'How long a call waits for a place before it is told SERVER_BUSY.'),
});
