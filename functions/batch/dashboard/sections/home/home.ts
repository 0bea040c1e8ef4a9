import type { Section } from '../../visit.ts';
import { homePage } from './home-page.ts';
import { readOverview } from './overview.ts';

/** The overview: what is under way, and what waits for an operator. */
export const home: Section = {
  pages: { '': async (visit) => homePage(visit, await readOverview(visit.nowMs)) },
  forms: {},
};
