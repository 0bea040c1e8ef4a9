// The parts of the framework's objects that our plugin reads and writes.
import type { Resource } from '../resources.ts';
import type { StackResources } from '../stack/template.ts';

/** A CloudFormation expression, such as `{ Ref: 'AWS::AccountId' }`. */
export type Expression = Record<string, unknown>;

export type HttpEvent = {
  path: string;
  method: string;
  timeoutInMillis?: number;
  response?: { transferMode?: string };
};

export type FunctionEvent = {
  http?: string | HttpEvent;
  schedule?: unknown;
  sqs?: unknown;
  websocket?: unknown;
};

export type FunctionConfig = {
  handler: string;
  timeout?: number;
  reservedConcurrency?: number | string | Expression;
  events: FunctionEvent[];
  role?: string;
  onError?: Expression;
  environment?: Record<string, string | Expression>;
  package?: { artifact: string };
};

export type Functions = Record<string, FunctionConfig>;

export type Framework = {
  serviceDir: string;
  processedInput: { commands: string[]; options: { param?: string | string[] } };
  pluginManager: { addPlugin(plugin: new (...args: never[]) => object): void };
  service: {
    custom?: Record<string, unknown>;
    functions: Functions;
    resources?: { Resources: Record<string, Resource> };
    provider: {
      stage: string;
      timeout?: number;
      environment?: Record<string, unknown> | null;
      compiledCloudFormationTemplate?: {
        Resources: StackResources;
        Outputs: Record<string, { Export?: Expression }>;
      };
    };
  };
  getProvider(name: 'aws'): {
    naming: { normalizePathPart(part: string): string };
    /** Calls AWS. It fails with AWS's own message. */
    request(service: string, method: string, params: object): Promise<unknown>;
  };
  classes: { Error: new (message: string, code: string) => Error };
};

/** `${source:address}` in the framework's configuration. */
export type VariableRequest = { serviceDir: string; address: string };

const HANDLER = /^dist\/([a-z]+)\/([a-z0-9-]+)\.handler$/;

/** The service of a function, and its bundle's name: a handler is `dist/<service>/<name>.handler`. */
export const placeOf = (key: string, { handler }: FunctionConfig): { service: string; name: string } => {
  const [, service, name] = HANDLER.exec(handler) ?? [];
  if (!service || !name)
    throw new Error(
      `Function ${key}: its handler is '${handler}', and must read dist/<service>/<name>.handler.`,
    );
  // The service's role may write to the log groups that begin with the service's name, and to no others.
  if (!key.startsWith(service))
    throw new Error(`Function ${key} belongs to ${service}, so its name must begin with '${service}'.`);
  return { service, name };
};

/** An `http` event in its long form: the framework also takes `GET some/path`. */
export const httpOf = ({ http }: FunctionEvent): HttpEvent | undefined => {
  if (typeof http !== 'string') return http;
  const [method = '', path = ''] = http.split(' ');
  return { path, method: method.toLowerCase() };
};
