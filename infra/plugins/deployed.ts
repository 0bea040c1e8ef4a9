import { queueUrlVariable } from '../../shared/settings/names.ts';
import { logicalPrefix, readResources } from '../resources.ts';
import { engineOf } from '../stack/engine-of.ts';
import { type Expression, type Framework, type FunctionConfig, httpOf, placeOf } from './framework.ts';

/** Seconds that API Gateway waits for a whole answer. More needs a quota of the account. */
const API_GATEWAY_SECONDS = 29;

/** A Lambda event holds 6 MB, headers included, and the body inside it is base64: four bytes for three. */
const MAX_BODY_BYTES = '4500000';

type Environment = NonNullable<FunctionConfig['environment']>;

/** Sets what functions.yml does not repeat for each function: its zip, role, environment and dead-letter queue. */
export function equipForDeployment({
  serviceDir,
  service: { functions, provider, resources },
}: Framework): void {
  const given = provider.environment ?? {};
  const queueUrls = queueUrlsOf(resources?.Resources ?? {}, provider.stage);
  for (const [key, fn] of Object.entries(functions)) {
    const { service, name } = placeOf(key, fn);
    const prefix = logicalPrefix(service);

    fn.package = { artifact: `dist/${service}.${name}.zip` };
    fn.role ??= `${prefix}Role`;
    fn.environment = {
      ...environment(provider.stage, service, given),
      ...queueUrls,
      ...engineQueueUrlsOf(serviceDir, service, provider.stage),
      ...fn.environment,
    };
    if (fn.events.some((event) => event.schedule)) {
      fn.onError ??= { 'Fn::GetAtt': [`${prefix}ScheduleDeadLetter`, 'Arn'] };
    }
    fitGateway(fn, provider.timeout);
    refuseLargeEnvironment(key, { ...given, ...fn.environment });
  }
}

// A deployment ends the sessions on certificates of the vault.
const EPOCH = new Date().toISOString();

function environment(stage: string, service: string, given: Record<string, unknown>): Environment {
  // The APIs depend on no function, so a function may name them without making a circle.
  const url = `https://\${ApiGatewayRestApi}.execute-api.\${AWS::Region}.\${AWS::URLSuffix}/${stage}`;
  const socketUrl = `wss://\${WebsocketsApi}.execute-api.\${AWS::Region}.\${AWS::URLSuffix}/${stage}`;
  const defaults = {
    Http__PublicUrl: { 'Fn::Sub': url },
    Http__MaxBodyBytes: MAX_BODY_BYTES,
    ...(service === 'session' && { Sessions__Epoch: EPOCH, Agents__SocketUrl: { 'Fn::Sub': socketUrl } }),
  };
  return {
    STAGE: stage,
    AWS_ACCOUNT_ID: { Ref: 'AWS::AccountId' },
    // A function's own variables override the stage's, so those of the stage are left out here.
    ...Object.fromEntries(Object.entries(defaults).filter(([name]) => !(name in given))),
  };
}

type Resources = NonNullable<Framework['service']['resources']>['Resources'];

/** The URLs of the queues, so that no function asks SQS for them. Dead letters are rare, and left out of the 4 KB. */
function queueUrlsOf(resources: Resources, stage: string): Environment {
  return Object.fromEntries(
    queuesIn(resources).map(({ id, name }) => [
      queueUrlVariable(name, stage),
      { Ref: id } satisfies Expression,
    ]),
  );
}

const queuesIn = (resources: Resources) =>
  Object.entries(resources)
    .filter(([id, { Type }]) => Type === 'AWS::SQS::Queue' && id.endsWith('Queue'))
    .map(([id, { Properties }]) => ({ id, name: String(Properties?.QueueName) }));

/** The URLs of the queues that a service sends to and another stack has, by their names. */
function engineQueueUrlsOf(root: string, service: string, stage: string): Environment {
  const engine = engineOf(service);
  if (engine === undefined) return {};
  const names = queuesIn(readResources(root, engine)).map(({ name }) => name.replace(STAGE_VARIABLE, stage));
  const urlOf = (name: string): Expression => ({
    'Fn::Sub': `https://sqs.\${AWS::Region}.\${AWS::URLSuffix}/\${AWS::AccountId}/${name}`,
  });
  return Object.fromEntries(names.map((name) => [queueUrlVariable(name, stage), urlOf(name)]));
}

// As the files of infra/ write it, before the framework has resolved it.
const STAGE_VARIABLE = `\${sls:stage}`;

/**
 * The seconds that a deployed function has: a function behind a method that is not streamed has no more than API Gateway
 * waits, as its caller would get a 504 while it goes on.
 * @example deployedSeconds({ handler, timeout: 60, events: [{ http: 'POST /documents/uploads' }] }) // 29
 */
export function deployedSeconds(fn: FunctionConfig, providerSeconds = API_GATEWAY_SECONDS): number {
  const seconds = fn.timeout ?? providerSeconds;
  const isBuffered = fn.events.map(httpOf).some((http) => http && http.response?.transferMode !== 'STREAM');
  return isBuffered ? Math.min(seconds, API_GATEWAY_SECONDS) : seconds;
}

/** Gives a streamed method the time of its function, up to 15 minutes, and any other what API Gateway waits. */
function fitGateway(fn: FunctionConfig, providerSeconds = API_GATEWAY_SECONDS): void {
  const seconds = fn.timeout ?? providerSeconds;
  if (seconds <= API_GATEWAY_SECONDS) return;
  for (const event of fn.events) {
    const http = httpOf(event);
    if (http?.response?.transferMode === 'STREAM') event.http = { timeoutInMillis: seconds * 1000, ...http };
  }
  fn.timeout = deployedSeconds(fn, providerSeconds);
}

/** Lambda measures all variables of a function as one JSON text. */
const MAX_ENVIRONMENT_BYTES = 4096;
/** Only CloudFormation knows what an expression becomes: an address or an ARN, at most so long. */
const EXPRESSION = 'x'.repeat(128);

function refuseLargeEnvironment(key: string, variables: Record<string, unknown>): void {
  const values = Object.entries(variables).map(([name, value]) => [
    name,
    typeof value === 'object' ? EXPRESSION : String(value),
  ]);
  const bytes = Buffer.byteLength(JSON.stringify(Object.fromEntries(values)));
  if (bytes <= MAX_ENVIRONMENT_BYTES) return;
  throw new Error(
    `The settings of ${key} take ${bytes} bytes, and Lambda holds ${MAX_ENVIRONMENT_BYTES}. Put certificates into trust/ and name the file.`,
  );
}
