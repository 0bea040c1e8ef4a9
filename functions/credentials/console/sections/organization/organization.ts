import type { Section } from '../../visit.ts';
import { general } from './general.ts';
import { institutePages } from './institutes/institutes.ts';
import { members } from './members.ts';
import { webhookPages } from './webhooks/webhooks.ts';

const PARTS: readonly Section[] = [general, institutePages, members, webhookPages];

/** The organization: what it is, its institutes, who works for it, and where its events are sent. */
export const organization: Section = {
  pages: Object.assign({}, ...PARTS.map(({ pages }) => pages)),
  forms: Object.assign({}, ...PARTS.map(({ forms }) => forms)),
};
