import { logicalPrefix } from '../resources.ts';
import { type Framework, type FunctionConfig, httpOf, placeOf } from './framework.ts';

/** What API Gateway waits for an answer unless the event says more, in seconds. */
const API_GATEWAY_SECONDS = 29;

/** A Lambda event holds 6 MB, headers included, and the body inside it is base64: four bytes for three. */
const MAX_BODY_BYTES = '4500000';

/** Gives each function what functions.yml need not repeat: its zip, its role, its environment, its dead letters. */
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

// A deployment strands the sessions whose PIN the vault's certificates rest on.
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
    // A function's own variables win over the stage's, so what the stage gives is left out here.
    ...Object.fromEntries(Object.entries(defaults).filter(([name]) => !(name in given))),
  };
}

/** A function that may take longer than API Gateway waits is waited for: otherwise its caller sees a 504. */
function waitForLongFunctions(fn: FunctionConfig, providerSeconds = API_GATEWAY_SECONDS): void {
  const seconds = fn.timeout ?? providerSeconds;
  if (seconds <= API_GATEWAY_SECONDS) return;
  for (const event of fn.events) {
    const http = httpOf(event);
    if (http) event.http = { timeoutInMillis: seconds * 1000, ...http };
  }
}
