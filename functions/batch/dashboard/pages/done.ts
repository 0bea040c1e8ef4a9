import { type Answer, redirect } from '../../../../shared/http/response/answer.ts';
import { queryText, type Visit } from '../visit.ts';
import { dashboardPath } from './frame.ts';

type Figures = Readonly<Record<string, number>>;

/**
 * Leads from a form to the page that shows what it did. A page that is loaded again does nothing again.
 * @example return leadTo('folders', 'rescanned', { scanned: 7 }); // 303 to /batch/dashboard/folders?done=rescanned&scanned=7
 */
export function leadTo(path: string, done: string, figures: Figures = {}): Answer {
  const counts = Object.entries(figures).map(([name, count]): [string, string] => [name, String(count)]);
  const query = new URLSearchParams([['done', done], ...counts]);
  return redirect(`${dashboardPath(path)}?${query}`, { status: 303 });
}

/** A figure of `leadTo`. Content spoofing: a link can give a number, and never a word. */
export const figureIn = (visit: Pick<Visit, 'query'>, name: string): number => {
  const text = queryText(visit, name);
  return /^\d{1,9}$/.test(text) ? Number(text) : 0;
};
