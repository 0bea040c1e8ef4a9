import { lookup } from 'node:dns/promises';
import { APIGatewayClient, GetAccountCommand } from '@aws-sdk/client-api-gateway';
import { GetServiceQuotaCommand, ServiceQuotasClient } from '@aws-sdk/client-service-quotas';
import { GetCallerIdentityCommand, STSClient } from '@aws-sdk/client-sts';
import { engineOf } from '../../infra/stack/engine-of.ts';
import { reasonOf } from '../../shared/command-line/reason.ts';
import { namedValue, readNamedValues } from '../../shared/settings/named-values.ts';
import { SERVICES } from '../../shared/settings/names.ts';
import { type Context, stackName } from './context.ts';
import { concurrencyOf, type Packaged, settingsIn } from './packages.ts';
import { givenSettings } from './settings.ts';
import { describeStack, isBusy, type StackState } from './stacks.ts';

/** Lambda's quota of concurrent executions. */
const CONCURRENCY = { ServiceCode: 'lambda', QuotaCode: 'L-B99A9384' };
/** AWS keeps so many for functions that reserve none. */
const UNRESERVED = 100;

export type Findings = {
  readonly account: string | undefined;
  /** A deployment would fail, or what it deployed would not work. */
  readonly problems: string[];
  /** Worth a look, and no reason to stop. */
  readonly warnings: string[];
  /** Whether the account has no role by which API Gateway writes logs. */
  readonly lacksLogRole: boolean;
  /** The stacks that the stage has, by their services. */
  readonly stacks: ReadonlyMap<string, StackState>;
};

/** Looks at all that the services need of the account, and tells all that is missing at once. */
export async function check(
  context: Context,
  services: readonly string[],
  packages: readonly Packaged[],
): Promise<Findings> {
  const problems: string[] = [];
  const warnings: string[] = [];
  const addProblems = async (found: Promise<string[]>): Promise<void> => void problems.push(...(await found));
  const { region } = context;
  const identity = await new STSClient({ region }).send(new GetCallerIdentityCommand({})).catch((error) => {
    problems.push(`AWS does not take the credentials: ${reasonOf(error)}. Set AWS_PROFILE, and log in.`);
    return undefined;
  });
  const account = identity?.Account;
  if (account === undefined) return { account, problems, warnings, lacksLogRole: false, stacks: new Map() };
  problems.push(...foreignParameters(context, account));
  await addProblems(quotaProblems(context, packages, warnings));
  const settings = await settingsOf(context, services, packages);
  await addProblems(valueProblems(settings));
  const stacks = await stacksOf(context);
  problems.push(...stackProblems(context, packages, stacks));
  warnings.push(...(await domainWarnings(settings)));
  const { cloudwatchRoleArn } = await new APIGatewayClient({ region }).send(new GetAccountCommand({}));
  return { account, problems, warnings, lacksLogRole: !cloudwatchRoleArn, stacks };
}

/** The settings of each service: of one that could not be packaged, what its file has. */
const settingsOf = ({ root, stage }: Context, services: readonly string[], packages: readonly Packaged[]) =>
  Promise.all(
    services.map((service) => {
      const packaged = packages.find((each) => each.service === service);
      return packaged ? settingsIn(packaged) : givenSettings(root, stage, service);
    }),
  );

async function stacksOf(context: Context): Promise<Map<string, StackState>> {
  const stacks = new Map<string, StackState>();
  for (const service of SERVICES) {
    const state = await describeStack(context, stackName(context, service));
    if (state) stacks.set(service, state);
  }
  return stacks;
}

const IN_REGION = ['kmsKey', 'webAcl', 'alarmTopic'];

/** Keys, web ACLs and topics of another account or region do not serve a stack. */
const foreignParameters = ({ region, parameters }: Context, account: string): string[] =>
  IN_REGION.flatMap((name) => {
    const [, , , ofRegion, ofAccount] = parameters[name]?.split(':') ?? [];
    if (ofRegion === undefined || (ofRegion === region && ofAccount === account)) return [];
    return [`Parameter ${name} is of account ${ofAccount} in ${ofRegion}; this is ${account} in ${region}.`];
  });

async function quotaProblems(
  { region }: Context,
  packages: readonly Packaged[],
  warnings: string[],
): Promise<string[]> {
  const needed = packages.reduce((sum, { template }) => sum + concurrencyOf(template), UNRESERVED);
  try {
    const { Quota } = await new ServiceQuotasClient({ region }).send(new GetServiceQuotaCommand(CONCURRENCY));
    const allowed = Quota?.Value ?? 0;
    if (allowed >= needed) return [];
    return [
      `Lambda may run ${allowed} functions at once in this account, and these services need ${needed}: what their queues start and what they reserve, and ${UNRESERVED} for callers. Ask for more: aws service-quotas request-service-quota-increase --service-code lambda --quota-code ${CONCURRENCY.QuotaCode} --desired-value ${Math.max(needed, 1000)}`,
    ];
  } catch (error) {
    // Who may deploy may not be allowed to ask.
    warnings.push(
      `Service Quotas does not say how many functions may run at once; these services need ${needed}: ${reasonOf(error)}`,
    );
    return [];
  }
}

const isNamed = (value: unknown): value is string =>
  typeof value === 'string' && /^(ssm|secretsmanager|kms):/.test(value);

/** The parameters and secrets that settings name, and values that KMS has encrypted. They are read to see that they can be, and told to nobody. */
async function valueProblems(settings: readonly Record<string, unknown>[]): Promise<string[]> {
  const named = new Map(
    settings.flatMap((each) =>
      Object.entries(each).flatMap(([variable, value]) =>
        isNamed(value) ? [[value, variable] as const] : [],
      ),
    ),
  );
  try {
    await readNamedValues(Object.fromEntries([...named].map(([value, variable]) => [variable, value])));
  } catch (error) {
    return [`The values that settings name cannot be read: ${reasonOf(error)}`];
  }
  return [...named].flatMap(([value, variable]) => {
    try {
      return namedValue(value) === '' ? [`${variable} names ${value}, which is empty.`] : [];
    } catch (error) {
      return [`${variable} names ${value}, ${reasonOf(error)}.`];
    }
  });
}

function stackProblems(
  context: Context,
  packages: readonly Packaged[],
  stacks: ReadonlyMap<string, StackState>,
): string[] {
  return packages.flatMap(({ service }) => {
    const engine = engineOf(service);
    const state = stacks.get(service);
    const isThere = engine && (stacks.has(engine) || packages.some((each) => each.service === engine));
    return [
      ...(engine && !isThere
        ? [
            `${service} works on the stores of ${engine}, and stage ${context.stage} has none: deploy ${engine} too.`,
          ]
        : []),
      ...(state && isBusy(state)
        ? [`Stack ${stackName(context, service)} is being changed (${state.status}). Wait until it is done.`]
        : []),
    ];
  });
}

/** An address that settings give must lead somewhere: links are made of it. */
async function domainWarnings(settings: readonly Record<string, unknown>[]): Promise<string[]> {
  const hosts = settings.flatMap((each) =>
    Object.entries(each)
      .filter(([name, value]) => name.endsWith('Http__PublicUrl') && typeof value === 'string')
      .map(([, value]) => new URL(String(value)).hostname),
  );
  const found = await Promise.all(
    [...new Set(hosts)].map((host) =>
      lookup(host).then(
        () => [],
        () => [`Http:PublicUrl names ${host}, which has no address yet: links to it lead nowhere.`],
      ),
    ),
  );
  return found.flat();
}
