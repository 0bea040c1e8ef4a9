import { approvers } from './sections/approvers/approvers.ts';
import { backups } from './sections/backups/backups.ts';
import { cluster } from './sections/cluster/cluster.ts';
import { events } from './sections/events/events.ts';
import { folders } from './sections/folders/folders.ts';
import { home } from './sections/home/home.ts';
import { jobs } from './sections/jobs/jobs.ts';
import { metrics } from './sections/metrics/metrics.ts';
import { pipeline } from './sections/pipeline/pipeline.ts';
import { profiles } from './sections/profiles/profiles.ts';
import { readiness } from './sections/readiness/readiness.ts';
import { upload } from './sections/upload/upload.ts';
import type { Params, Section } from './visit.ts';

/** The order does not matter: no path matches two routes. */
const SECTIONS: readonly Section[] = [
  home,
  jobs,
  upload,
  folders,
  pipeline,
  events,
  readiness,
  metrics,
  approvers,
  profiles,
  cluster,
  backups,
];

/**
 * The page or form at a path below `dashboard/`, and the names in its route.
 * @example findRoute('pages', 'jobs/6f1b…') // { run: showJob, params: { id: '6f1b…' } }
 */
export function findRoute<Kind extends 'pages' | 'forms'>(
  kind: Kind,
  path: string,
): { readonly run: Section[Kind][string]; readonly params: Params } | undefined {
  for (const section of SECTIONS)
    for (const [route, run] of Object.entries(section[kind])) {
      const params = matchRoute(route, path);
      if (params) return { run: run as Section[Kind][string], params };
    }
  return undefined;
}

function matchRoute(route: string, path: string): Params | undefined {
  const [expected, given] = [route.split('/'), path.split('/')];
  if (expected.length !== given.length) return undefined;
  const params: Record<string, string> = {};
  for (const [index, part] of expected.entries()) {
    const [, name] = /^\{(\w+)\}$/.exec(part) ?? [];
    const value = given[index] ?? '';
    if (name === undefined ? part !== value : value === '') return undefined;
    if (name !== undefined) params[name] = value;
  }
  return params;
}
