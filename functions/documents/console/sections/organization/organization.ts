import type { Section } from '../../visit.ts';
import { applicationPages } from './applications/applications.ts';
import { general } from './general/general.ts';
import { members } from './members.ts';
import { usagePages } from './usage-page.ts';
import { webhookPages } from './webhooks/webhooks.ts';

const PARTS = [general, members, webhookPages, applicationPages, usagePages];

/** The organization: what it is, who works for it, and the programs that do. */
export const organization: Section = {
  pages: Object.assign({}, ...PARTS.map(({ pages }) => pages)),
  forms: Object.assign({}, ...PARTS.map(({ forms }) => forms)),
};
