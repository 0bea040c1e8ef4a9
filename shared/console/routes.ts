import { matchRoute, type Params } from '../http/request/match-route.ts';
import type { Section } from './visit.ts';

/**
 * The sections of a console by the first part of their paths. Each is loaded when it is visited: a cold start reads the
 * code of one section, and not of all.
 */
export type Sections<OwnVisit, Operation extends string> = Readonly<
  Record<string, () => Promise<Section<OwnVisit, Operation>>>
>;

const loadSection = async <OwnVisit, Operation extends string>(
  sections: Sections<OwnVisit, Operation>,
  path: string,
): Promise<Section<OwnVisit, Operation> | undefined> => {
  const [first = ''] = path.split('/', 1);
  return Object.hasOwn(sections, first) ? sections[first]?.() : undefined;
};

/** The page or form at a path below `console/`, and the names in its route. No path matches two routes. */
export async function findRoute<OwnVisit, Operation extends string, Kind extends 'pages' | 'forms'>(
  sections: Sections<OwnVisit, Operation>,
  kind: Kind,
  path: string,
): Promise<
  { readonly found: Section<OwnVisit, Operation>[Kind][string]; readonly params: Params } | undefined
> {
  type Found = Section<OwnVisit, Operation>[Kind][string];
  const section = await loadSection(sections, path);
  return matchRoute<Found>((section?.[kind] ?? {}) as Record<string, Found>, path);
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
