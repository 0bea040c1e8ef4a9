import { matchRoute, type Params } from '../../../shared/http/request/match-route.ts';
import type { Section } from './visit.ts';

/**
 * The sections by the first part of their paths. Each is loaded when it is visited: a cold start reads the code of one
 * section, and not of all.
 */
export const SECTIONS: Readonly<Record<string, () => Promise<Section>>> = {
  '': async () => (await import('./sections/following/following.ts')).following,
  documents: async () => (await import('./sections/following/following.ts')).following,
  send: async () => (await import('./sections/send/send.ts')).send,
  organization: async () => (await import('./sections/organization/organization.ts')).organization,
};

/** The page or form at a path below `console/`, and the names in its route. No path matches two routes. */
export async function findRoute<Kind extends 'pages' | 'forms'>(
  kind: Kind,
  path: string,
): Promise<{ readonly found: Section[Kind][string]; readonly params: Params } | undefined> {
  const [first = ''] = path.split('/', 1);
  const section = Object.hasOwn(SECTIONS, first) ? await SECTIONS[first]?.() : undefined;
  return matchRoute<Section[Kind][string]>(
    (section?.[kind] ?? {}) as Record<string, Section[Kind][string]>,
    path,
  );
}
