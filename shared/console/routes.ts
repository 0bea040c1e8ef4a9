import { matchRoute, type Params } from '../http/request/match-route.ts';
import type { Section } from './visit.ts';

/**
 * The sections of a console by the first part of their paths. Each is loaded when it is visited: a cold start reads the
 * code of one section, and not of all.
 */
export type Sections<OwnVisit, Operation extends string> = Readonly<
  Record<string, () => Promise<Section<OwnVisit, Operation>>>
>;

/** The page or form at a path below `console/`, and the names in its route. No path matches two routes. */
export async function findRoute<OwnVisit, Operation extends string, Kind extends 'pages' | 'forms'>(
  sections: Sections<OwnVisit, Operation>,
  kind: Kind,
  path: string,
): Promise<
  { readonly found: Section<OwnVisit, Operation>[Kind][string]; readonly params: Params } | undefined
> {
  type Found = Section<OwnVisit, Operation>[Kind][string];
  const [first = ''] = path.split('/', 1);
  const section = Object.hasOwn(sections, first) ? await sections[first]?.() : undefined;
  return matchRoute<Found>((section?.[kind] ?? {}) as Record<string, Found>, path);
}
