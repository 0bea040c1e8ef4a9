import { bytes, duration } from '../../shared/settings/kinds.ts';
import { defineSettings } from '../../shared/settings/settings.ts';

export const settings = defineSettings('documents', {
  'Uploads:MaxBytes': bytes(104_857_600, 'Largest file of an upload.'),
  'Uploads:KeptFor': duration('24:00:00', 'How long an upload waits for a document that uses it.', {
    min: 300, // an upload takes up to two minutes, and must not be collected while it still arrives
  }),
});
