import { HELP } from '../../shared/command-line/parse.ts';
import { SERVICES } from '../../shared/settings/names.ts';

export const USAGE = `Deploys services to AWS, each as a stack of its own, and the stack that watches them.

  npm run deploy -- --stage STAGE [--service SERVICE ...] [--param NAME=VALUE ...] [--dry-run] [--packaged]
  npm run deploy -- --stage STAGE [--service SERVICE ...] --remove [--dry-run]

  --stage STAGE       its settings are in settings.STAGE.yml, its parameters in parameters.STAGE.yml
  --service SERVICE   one of ${SERVICES.join(', ')}; all of them unless given
  --param NAME=VALUE  a parameter of docs/aws.md, which counts more than the file's
  --dry-run           checks everything, prints the plan, and changes nothing
  --packaged          takes dist/packages as npm run package left it, and builds nothing
  --remove            deletes the stacks; tables, buckets and logs are kept, and listed

The account and the region are those of AWS_PROFILE and AWS_REGION. It is safe to run again: what is as it should be is left
alone, and what an earlier run left half done is finished. The exit code is 1 when anything is missing or fails.
`;

export const OPTIONS = {
  stage: { type: 'string' },
  service: { type: 'string', multiple: true },
  param: { type: 'string', multiple: true, default: [] as string[] },
  'dry-run': { type: 'boolean', default: false },
  packaged: { type: 'boolean', default: false },
  remove: { type: 'boolean', default: false },
  ...HELP,
} as const;

/** Services that others work on come first: compact on batch, session on documents. */
const ORDER = ['documents', 'hub', 'pki', 'batch', 'compact', 'credentials', 'session'] as const;

/** The services in the order in which they are deployed. @example inOrder(['session', 'documents']) // ['documents', 'session'] */
export const inOrder = (services: readonly string[]): string[] =>
  ORDER.filter((service) => services.includes(service));
