import { wireCopying } from './copy.ts';
import { keepLive } from './live.ts';
import { watchSelection } from './selection.ts';

// On a phone the navigation is one row that scrolls, and so are the pages about one subject.
for (const current of document.querySelectorAll('.navigation [aria-current], .tabs [aria-current]'))
  current.scrollIntoView({ inline: 'center', block: 'nearest' });
watchSelection();
keepLive();
wireCopying();
