import type { TestSpecification } from 'vitest/node';
import { BaseSequencer } from 'vitest/node';

// A worker goes on to the next file in its process only while that is of the same project, so that those stand together.
const PROJECTS = ['browser', 'alone', 'house', 'store', 'pure', 'kills'];

// Those that take ten seconds or more on two cores, the longest first: one that began last would run on alone. From the
// end of a run, which prints them; it need not be exact. Without it the order is that of file sizes, which say little.
const LONGEST = [
  ...['action-page', 'browser/documents/ways', 'browser/documents/reader', 'dashboard/jobs', 'bio-sessions'],
  ...['registrar/items', 'approver-signatures', 'dashboard/admin', 'console/sending'],
  ...['signature-session', 'browser/documents/verification', 'second-factor', 'approver-portal'],
  ...['dashboard/overview', 'browser/webhooks', 'credential-verification', 'electronic-signature'],
  ...['console/templates', 'browser/documents/console', 'cloud-signature'],
  ...['docs/docs', 'engine/engine', 'host/host', 'templates/templates', 'plugins/stage-settings'],
  ...['contract/over-http', 'build/package', 'folder/folder', 'stores/second-engine'],
  ...['host/connections', 'pdf/honest', 'engine/refusals', 'agent/custody', 'drawn/drawing'],
  ...['workstations/tasks', 'bounds/bounds', 'workstation-goes', 'infra/invoke', 'run-folder-job'],
  ...['agent/reconnect', 'largest-inputs', 'misbehaving', 'host/start', 'host/sample-events'],
  ...['dispatch-job', 'tables/model', 'session/workstation', 'cli/agent/sandbox', 'transfer/transfer'],
  ...['backup/share', 'webhooks/whole', 'build/build', 'session/over-http', 'workstations/pins'],
  ...['events/queue-source', 'platform-fails', 'objects/processes', 'host/backup', 'every-service/calls'],
  ...['backup/backup', 'killed-folder-job', 'packaged-functions', 'approvals/mail', 'archive/workbook'],
  ...['batches/killed', 'verify/honest', 'pkcs12/open', 'attacks/hostile'],
];

// They build no functions: while the first browser waits for the shared engine to build them, no other engine is to build
// them too.
const MEANWHILE = ['plugins/stage-settings', 'build/package', 'agent/custody'];

const isOneOf =
  (names: readonly string[]) =>
  ({ moduleId }: TestSpecification): boolean =>
    names.some((name) => moduleId.endsWith(`/${name}.test.ts`));

/** What takes long begins first, and while the shared engine starts, something that needs no engine. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const projectOf = (file: TestSpecification): number => PROJECTS.indexOf(file.project.name);
    const placeOf = (file: TestSpecification): number => {
      const found = LONGEST.findIndex((name) => isOneOf([name])(file));
      return found < 0 ? LONGEST.length : found;
    };
    const sorted = files.toSorted((a, b) => projectOf(a) - projectOf(b) || placeOf(a) - placeOf(b));
    const [first, ...rest] = sorted;
    const isMeanwhile = isOneOf(MEANWHILE);
    return [
      ...(first ? [first] : []),
      ...rest.filter(isMeanwhile),
      ...rest.filter((file) => !isMeanwhile(file)),
    ];
  }
}
