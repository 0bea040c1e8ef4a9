import { logicalPrefix } from '../resources.ts';
import { type Framework, type FunctionConfig, httpOf, placeOf } from './framework.ts';

/** Seconds that API Gateway waits for an answer unless the event has a longer timeout. */
const API_GATEWAY_SECONDS = 29;

/** A Lambda event holds 6 MB, headers included, and the body inside it is base64: four bytes for three. */
const MAX_BODY_BYTES = '4500000';

/** Sets what functions.yml does not repeat for each function: its zip, role, environment and dead-letter queue. */
export function equipForDeployment({ service: { functions, provider } }: Framework): void {
  const given = provider.environment ?? {};
  for (const [key, fn] of Object.entries(functions)) {
    const { service, name } = placeOf(key, fn);
    const prefix = logicalPrefix(service);

    fn.package = { artifact: `dist/${service}.${name}.zip` };
    fn.role ??= `${prefix}Role`;
    fn.environment = { ...environment(provider.stage, service, given), ...fn.environment };
    if (fn.events.some((event) => event.schedule)) {
      fn.onError ??= { 'Fn::GetAtt': [`${prefix}ScheduleDeadLetter`, 'Arn'] };
    }
    waitForLongFunctions(fn, provider.timeout);
  }
}

// A deployment ends the sessions on certificates of the vault.
const EPOCH = new Date().toISOString();

function environment(
  stage: string,
  service: string,
  given: Record<string, unknown>,
): NonNullable<FunctionConfig['environment']> {
  // The REST API depends on no function, so a function may name it without making a circle.
  const url = `https://\${ApiGatewayRestApi}.execute-api.\${AWS::Region}.\${AWS::URLSuffix}/${stage}`;
  const defaults = {
    Http__PublicUrl: { 'Fn::Sub': url },
    Http__MaxBodyBytes: MAX_BODY_BYTES,
    ...(service === 'session' && { Sessions__Epoch: EPOCH }),
  };
  return {
    STAGE: stage,
    AWS_ACCOUNT_ID: { Ref: 'AWS::AccountId' },
    // A function's own variables override the stage's, so those of the stage are left out here.
    ...Object.fromEntries(Object.entries(defaults).filter(([name]) => !(name in given))),
  };
}

/** Raises API Gateway's timeout for functions that may take longer: otherwise their callers get a 504. */
function waitForLongFunctions(fn: FunctionConfig, providerSeconds = API_GATEWAY_SECONDS): void {
  const seconds = fn.timeout ?? providerSeconds;
  if (seconds <= API_GATEWAY_SECONDS) return;
  for (const event of fn.events) {
    const http = httpOf(event);
    if (http) event.http = { timeoutInMillis: seconds * 1000, ...http };
  }
}
