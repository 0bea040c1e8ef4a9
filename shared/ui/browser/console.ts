import { wireCopying } from './copy.ts';
import { keepLive } from './live.ts';
import { watchSelection } from './selection.ts';

// On a phone the navigation is one row that scrolls.
document.querySelector('.navigation [aria-current]')?.scrollIntoView({ inline: 'center', block: 'nearest' });
watchSelection();
keepLive();
wireCopying();
