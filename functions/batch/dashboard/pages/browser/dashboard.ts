import { keepLive } from './dashboard/live.ts';
import { watchSelection } from './dashboard/selection.ts';

watchSelection();
keepLive();

// Most pages have none: its script is fetched where it is needed.
const upload = document.getElementById('upload');
if (upload instanceof HTMLFormElement)
  void import('./dashboard/upload/upload.ts').then(({ wireUpload }) => wireUpload(upload));
