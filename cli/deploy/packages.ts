import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { StackResources } from '../../infra/stack/template.ts';
import { WITHHELD } from '../../shared/settings/named-values.ts';

export type PackagedTemplate = {
  Resources: StackResources;
  Outputs?: Record<string, unknown>;
};

/** A packaged service: the template of its stack, and the one that makes the bucket for its code. */
export type Packaged = {
  readonly service: string;
  readonly template: PackagedTemplate;
  readonly bucketTemplate: PackagedTemplate;
};

const TEMPLATE = 'cloudformation-template-update-stack.json';
const BUCKET_TEMPLATE = 'cloudformation-template-create-stack.json';

/** Where npm run package writes a service. */
export const packageFolder = (root: string, service: string): string => join(root, 'dist/packages', service);

/** What npm run package has written for a service; undefined where it has not. */
export function readPackage(root: string, service: string): Packaged | undefined {
  const folder = packageFolder(root, service);
  if (!existsSync(join(folder, TEMPLATE))) return undefined;
  const read = (name: string): PackagedTemplate => JSON.parse(readFileSync(join(folder, name), 'utf8'));
  return { service, template: read(TEMPLATE), bucketTemplate: read(BUCKET_TEMPLATE) };
}

/** Whether a package was made for this stack: its table has the name of it. */
export const isFor = ({ template: { Resources } }: Packaged, name: string): boolean =>
  Object.values(Resources).some(
    ({ Type, Properties }) => Type === 'AWS::DynamoDB::Table' && Properties?.TableName === name,
  );

export const functionsIn = ({ Resources }: PackagedTemplate) =>
  Object.values(Resources).filter(({ Type }) => Type === 'AWS::Lambda::Function');

type Mapping = { ScalingConfig?: { MaximumConcurrency?: number } };

/** Instances that the stack may hold for itself: those that its queues start, and those that it reserves. */
export function concurrencyOf({ Resources }: PackagedTemplate): number {
  const queues = Object.values(Resources)
    .filter(({ Type }) => Type === 'AWS::Lambda::EventSourceMapping')
    .map(({ Properties }) => (Properties as Mapping).ScalingConfig?.MaximumConcurrency ?? 0);
  const reserved = functionsIn({ Resources }).map(({ Properties }) =>
    typeof Properties?.ReservedConcurrentExecutions === 'number'
      ? Properties.ReservedConcurrentExecutions
      : 0,
  );
  return [...queues, ...reserved].reduce((sum, each) => sum + each, 0);
}

/** The settings of a packaged service. Its public functions have fewer. */
export const settingsIn = ({ template }: Packaged): Record<string, unknown> =>
  Object.assign(
    {},
    ...functionsIn(template).map(({ Properties }) => {
      const { Variables = {} } = (Properties?.Environment ?? {}) as { Variables?: Record<string, unknown> };
      return Object.fromEntries(Object.entries(Variables).filter(([, value]) => value !== WITHHELD));
    }),
  );
