import { wireCopying } from '../../../../../shared/ui/browser/copy.ts';
import { keepLive } from '../../../../../shared/ui/browser/live.ts';
import { watchSelection } from '../../../../../shared/ui/browser/selection.ts';

// On a phone the navigation is one row that scrolls.
document.querySelector('.navigation [aria-current]')?.scrollIntoView({ inline: 'center', block: 'nearest' });
watchSelection();
keepLive();
wireCopying();
