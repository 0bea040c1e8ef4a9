import { setTimeout as wait } from 'node:timers/promises';
import { CloudFormationClient } from '@aws-sdk/client-cloudformation';
import type { Output } from '../../shared/command-line/output.ts';

/** What a deployment is about, and where it prints. */
export type Context = {
  readonly root: string;
  readonly stage: string;
  readonly region: string;
  readonly parameters: Readonly<Record<string, string>>;
  readonly cloudFormation: CloudFormationClient;
  readonly output: Output;
  /** Waits before it asks a stack again. */
  readonly pause: () => Promise<unknown>;
};

const ASK_EVERY_MS = 5_000;

export const DEFAULT_REGION = 'sa-east-1';

export const contextFor = (
  given: Omit<Context, 'cloudFormation' | 'pause'> & Partial<Pick<Context, 'pause'>>,
): Context => ({
  pause: () => wait(ASK_EVERY_MS),
  ...given,
  cloudFormation: new CloudFormationClient({ region: given.region }),
});

/** @example stackName({ stage: 'prod' }, 'hub') // 'sinete-prod-hub' */
export const stackName = ({ stage }: Pick<Context, 'stage'>, service: string): string =>
  `sinete-${stage}-${service}`;
