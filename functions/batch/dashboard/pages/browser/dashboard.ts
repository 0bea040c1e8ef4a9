import { keepLive } from './dashboard/live.ts';

// On a phone the navigation is one row that scrolls.
document.querySelector('.navigation [aria-current]')?.scrollIntoView({ inline: 'center', block: 'nearest' });
keepLive();
