import { redirect } from '../../../../shared/http/response/answer.ts';
import { consolePath } from '../pages/frame.ts';
import type { Section } from '../visit.ts';

/** Where a log-in leads: to the first page of the navigation. */
export const start: Section = {
  pages: {
    '': {
      operation: 'items.read',
      show: async () => redirect(consolePath('degrees'), { status: 303 }),
    },
  },
  forms: {},
};
