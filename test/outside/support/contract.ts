import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { expect } from 'vitest';
import { type Answered, ask, type Body, type RequestOptions } from './http.ts';

/** Values of a JSON answer: a test reads the fields that the contract names. */
// biome-ignore lint/suspicious/noExplicitAny: the shape of an answer is checked against the contract when the test runs.
export type Json = any;

export type Answer = Answered & {
  readonly text: string;
  /** The body, where it is JSON. */
  readonly json: Json;
};

export type CallOptions = Pick<RequestOptions, 'from' | 'trust'> & {
  readonly path?: Readonly<Record<string, string | number>>;
  readonly query?: Readonly<Record<string, string | number | readonly string[]>>;
  readonly headers?: Readonly<Record<string, string>>;
  /** A form or bytes as they are, anything else as JSON. */
  readonly body?: unknown;
  /** The status that must be answered: by default any that is no refusal. */
  readonly expect?: number | 'any';
  /** The key of the caller, or null for none. */
  readonly key?: string | null;
};

type Operation = {
  readonly operationId: string;
  readonly responses: Readonly<Record<string, Json>>;
  readonly method: string;
  readonly path: string;
};

/** A service as its contract describes it, which the running server gives. */
export type Service = {
  readonly base: string;
  /** Calls an operation, and holds its answer against the contract: the status must be named, a JSON body must fit. */
  readonly call: (operationId: string, options?: CallOptions) => Promise<Answer>;
  /** Operations that have not been answered without a refusal yet. */
  readonly unplayed: () => readonly string[];
};

const METHODS = new Set(['get', 'put', 'post', 'delete', 'patch', 'head']);

/** The service below an address, for the application of a key. The options are those of every call. */
export async function openService(
  url: string,
  service: string,
  key: string,
  always: Pick<CallOptions, 'from' | 'trust'> = {},
): Promise<Service> {
  const base = `${url}/${service}`;
  const document = JSON.parse((await ask(`${base}/openapi/v1.json`, always)).bytes.toString()) as Json;
  const operations = new Map<string, Operation>(
    Object.entries<Json>(document.paths).flatMap(([path, item]) =>
      Object.entries<Json>(item)
        .filter(([method]) => METHODS.has(method))
        .map(([method, operation]) => [operation.operationId, { ...operation, method, path }] as const),
    ),
  );
  const check = shapeChecks(document);
  const played = new Set<string>();

  const call = async (operationId: string, options: CallOptions = {}): Promise<Answer> => {
    const operation = operations.get(operationId);
    if (!operation) throw new Error(`The contract of ${service} has no operation ${operationId}`);
    const answer = await send(`${base}${pathOf(operation.path, options)}`, operation.method, key, {
      ...always,
      ...options,
    });
    const place = `${service} ${operationId}: ${answer.status} ${answer.text.slice(0, 1500)}`;
    if (options.expect === undefined) expect(answer.status, place).toBeLessThan(400);
    else if (options.expect !== 'any') expect(answer.status, place).toBe(options.expect);
    expect(Object.keys(operation.responses), place).toContain(String(answer.status));
    expect(check(operation, answer), place).toEqual([]);
    expect(answer.headers.get('x-correlation-id'), place).toMatch(/^[0-9a-f-]{36}$/);
    if (answer.status < 400) played.add(operationId);
    return answer;
  };
  return { base, call, unplayed: () => [...operations.keys()].filter((id) => !played.has(id)) };
}

function pathOf(path: string, { path: values = {}, query = {} }: CallOptions): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name) => {
    const value = values[name];
    if (value === undefined) throw new Error(`${path} needs ${name}`);
    return encodeURIComponent(value);
  });
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query))
    for (const each of [value].flat()) search.append(name, String(each));
  return search.size > 0 ? `${filled}?${search}` : filled;
}

async function send(url: string, method: string, key: string, options: CallOptions): Promise<Answer> {
  const { body, from, trust } = options;
  const isPlain = body instanceof FormData || body instanceof URLSearchParams || body instanceof Uint8Array;
  const caller = options.key === undefined ? key : options.key;
  const answer = await ask(url, {
    method: method.toUpperCase(),
    headers: {
      ...(caller !== null && { 'x-api-key': caller }),
      ...(body !== undefined && !isPlain && { 'content-type': 'application/json' }),
      ...options.headers,
    },
    ...(body !== undefined && { body: isPlain ? (body as Body) : JSON.stringify(body) }),
    ...(from && { from }),
    ...(trust && { trust }),
  });
  const text = answer.bytes.toString();
  const isJson = /\bjson\b/.test(answer.headers.get('content-type') ?? '') && text !== '';
  return { ...answer, text, json: isJson ? JSON.parse(text) : undefined };
}

/** Gives, for an answer, where it differs from the schema that the contract has for it. */
function shapeChecks(document: Json): (operation: Operation, answer: Answer) => readonly string[] {
  // Formats that JSON Schema does not name are passed over.
  const ajv = new Ajv2020({ strict: false, allErrors: true, logger: false });
  addFormats.default(ajv);
  ajv.addFormat('base64', /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/);
  ajv.addSchema(document, 'document');
  const compiled = new Map<string, ValidateFunction>();
  const schemaOf = ({ method, path, responses }: Operation, status: number) => {
    const escaped = (part: string) => part.replaceAll('~', '~0').replaceAll('/', '~1');
    const { $ref } = responses[status];
    const pointer: string = $ref ?? `#/paths/${escaped(path)}/${method}/responses/${status}`;
    const response = pointer
      .slice(2)
      .split('/')
      .reduce((value, part) => value[part.replaceAll('~1', '/').replaceAll('~0', '~')], document);
    const type = Object.keys(response.content ?? {}).find((name) => /\bjson\b/.test(name));
    return type && `document${encodeURI(`${pointer}/content/${escaped(type)}/schema`)}`;
  };
  return (operation, answer) => {
    if (answer.json === undefined) return [];
    const pointer = schemaOf(operation, answer.status);
    if (!pointer) return ['a JSON body where the contract has none'];
    const validate = compiled.get(pointer) ?? ajv.compile({ $ref: pointer });
    compiled.set(pointer, validate);
    validate(answer.json);
    return (validate.errors ?? []).map((error) => `${error.instancePath} ${error.message}`);
  };
}
