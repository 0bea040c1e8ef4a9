import { matchRoute, type Params } from '../http/request/match-route.ts';
import type { Section } from './visit.ts';

/**
 * The sections of a console by the first part of their paths. Each is loaded when it is visited: a cold start reads the
 * code of one section, and not of all.
 */
export type Sections<OwnVisit, Operation extends string> = Readonly<
  Record<string, () => Promise<Section<OwnVisit, Operation>>>
>;

type Loaders<Found> = Readonly<Record<string, () => Promise<Found>>>;

const loadSection = async <Found>(sections: Loaders<Found>, path: string): Promise<Found | undefined> => {
  const [first = ''] = path.split('/', 1);
  return Object.hasOwn(sections, first) ? sections[first]?.() : undefined;
};

type Routed = Readonly<Record<'pages' | 'forms', Readonly<Record<string, unknown>>>>;

/**
 * The page or form at a path below that of the sections, and the names in its route. No path matches two routes.
 * @example await findRoute(SECTIONS, 'pages', 'jobs/6f1b…') // { found: showJob, params: { id: '6f1b…' } }
 */
export async function findRoute<Found extends Routed, Kind extends 'pages' | 'forms'>(
  sections: Loaders<Found>,
  kind: Kind,
  path: string,
): Promise<{ readonly found: Found[Kind][string]; readonly params: Params } | undefined> {
  const section = await loadSection(sections, path);
  return matchRoute((section?.[kind] ?? {}) as Record<string, Found[Kind][string]>, path);
}

/** The path of the page that a form is on: its own where a page has the same route, or the nearest above that is a page. */
export async function findPageOfForm<OwnVisit, Operation extends string>(
  sections: Sections<OwnVisit, Operation>,
  path: string,
): Promise<string> {
  const { pages = {}, forms = {} } = (await loadSection(sections, path)) ?? {};
  const shared = Object.entries(pages).filter(([route]) => Object.hasOwn(forms, route));
  if (matchRoute(Object.fromEntries(shared), path)) return path;
  let above = path;
  do above = above.replace(/\/?[^/]*$/, '');
  while (above !== '' && !matchRoute(pages, above));
  return above;
}
