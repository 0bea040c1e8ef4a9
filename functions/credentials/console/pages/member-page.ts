import { memberPages } from '../../../../shared/console/pages/member-page.ts';
import { frame } from './frame.ts';

export const { memberPage, leadTo } = memberPages(frame);
