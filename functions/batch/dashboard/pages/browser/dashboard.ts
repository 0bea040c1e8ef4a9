import { wireCopying } from '../../../../../shared/ui/browser/copy.ts';
import { keepLive } from '../../../../../shared/ui/browser/live.ts';
import { watchSelection } from '../../../../../shared/ui/browser/selection.ts';

// On a phone the navigation is one row that scrolls.
document.querySelector('.navigation [aria-current]')?.scrollIntoView({ inline: 'center', block: 'nearest' });
watchSelection();
keepLive();

// Most pages have none: its script is fetched where it is needed.
const upload = document.getElementById('upload');
if (upload instanceof HTMLFormElement)
  void import('./dashboard/upload/upload.ts').then(({ wireUpload }) => wireUpload(upload));
wireCopying();
