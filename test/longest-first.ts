import type { TestSpecification } from 'vitest/node';
import { BaseSequencer } from 'vitest/node';

// A worker goes on to the next file in its process only while that is of the same project, so that those stand together.
const PROJECTS = ['browser', 'whole', 'house', 'store', 'pure', 'kills'];

// Those that take ten seconds or more on two cores, the longest first: one that began last would run on alone. From the
// end of a run, which prints them; it need not be exact. Without it the order is that of file sizes, which say little.
const LONGEST = [
  ...['action-page', 'dashboard/jobs', 'reference', 'dashboard/overview', 'bio-sessions', 'dashboard/admin'],
  ...['approver-portal', 'approver-signatures', 'verification', 'webhooks', 'credential-verification'],
  ...['home-page', 'cloud-signature', 'second-factor', 'provider-authorization', 'signature-session'],
  ...['docs/docs', 'engine/engine', 'host/host', 'stores/second-engine', 'killed-work', 'host/connections'],
  ...['engine/refusals', 'infra/stage-settings', 'folder/folder', 'infra/package', 'contract/over-http'],
  ...['agent/custody', 'host/sample-events', 'host/backup', 'folder/begins-again', 'agent/reconnect'],
  ...['infra/build', 'host/start', 'infra/invoke', 'cli/agent/sandbox', 'packaged-functions'],
  ...[
    'bounds/bounds',
    'pdf/honest',
    'session/over-http',
    'kill/kill',
    'workstations/tasks',
    'workstation-goes',
  ],
  ...[
    'objects/processes',
    'drawn/drawing',
    'run-folder-job',
    'largest-inputs',
    'misbehaving',
    'dispatch-job',
  ],
  ...['session/workstation', 'scan-folder', 'events/queue-source', 'workstations/pins', 'platform-fails'],
  ...[
    'retention/killed',
    'batches/killed',
    'xades/honest',
    'pkcs12/open',
    'mutants/mutants',
    'xades/hostile',
  ],
];

// They build no functions: while the first browser waits for the shared engine to build them, no other engine is to build
// them too.
const MEANWHILE = ['infra/stage-settings', 'infra/package', 'agent/custody'];

const isOneOf =
  (names: readonly string[]) =>
  ({ moduleId }: TestSpecification): boolean =>
    names.some((name) => moduleId.endsWith(`/${name}.test.ts`));

/** What takes long begins first, and beside a browser something else. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const projectOf = (file: TestSpecification): number => PROJECTS.indexOf(file.project.name);
    const placeOf = (file: TestSpecification): number => {
      const found = LONGEST.findIndex((name) => isOneOf([name])(file));
      return found < 0 ? LONGEST.length : found;
    };
    const sorted = files.toSorted((a, b) => projectOf(a) - projectOf(b) || placeOf(a) - placeOf(b));
    const browsers = sorted.filter(({ project }) => project.name === 'browser');
    const others = sorted.filter(({ project }) => project.name !== 'browser');
    const isMeanwhile = isOneOf(MEANWHILE);
    return [
      ...browsers.slice(0, 1),
      ...others.filter(isMeanwhile),
      // Most browsers wait for the shared engine, whose functions have one core: more than two at once take turns.
      ...takeTurns(
        browsers.slice(1),
        others.filter((file) => !isMeanwhile(file)),
      ),
    ];
  }
}

/** One of each, and then the rest of the longer list. */
const takeTurns = <T>(some: readonly T[], others: readonly T[]): T[] =>
  Array.from({ length: Math.max(some.length, others.length) }, (_, n) => [others[n], some[n]])
    .flat()
    .filter((item) => item !== undefined);
