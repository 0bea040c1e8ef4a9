import { NoAnswer } from './errors.ts';
import type {
  CallOptions,
  ItemOf,
  ListIn,
  Methods,
  Operation,
  OperationTable,
  RawBody,
  RequestOf,
} from './operation.ts';
import { type ClientOptions, type Prepared, type SentBody, send } from './transport.ts';
import { type Place, putOf } from './uploads.ts';

type Request = Readonly<Record<string, unknown>>;

/** The client of a service: its operations as methods, and what every client has. */
export type ServiceClient<Operations> = Methods<Operations> &
  Pick<Client<Operations>, 'call' | 'all' | 'put'>;

class Client<Operations> {
  readonly #options: ClientOptions;
  readonly #operations: OperationTable;

  constructor(options: ClientOptions, operations: OperationTable) {
    // Programs in JavaScript have no compiler that asks for it.
    if (typeof options?.url !== 'string')
      throw new TypeError(
        '`url` is missing: the address of the service, such as http://localhost:3000/documents.',
      );
    this.#options = options;
    this.#operations = operations;
  }

  /** Calls an operation by its name. Every operation is a method as well. */
  async call(name: string, request: Request = {}, options: CallOptions = {}): Promise<unknown> {
    return send(await this.#prepare(name, request, options), this.#options, options);
  }

  /**
   * Every item of a list, whatever its pages.
   * @example for await (const document of documents.all('listDocuments', { status: 'Pending' })) …
   */
  async *all<Name extends ListIn<Operations>>(
    name: Name,
    request?: RequestOf<Operations[Name]>,
    options: CallOptions = {},
  ): AsyncGenerator<ItemOf<Operations[Name]>, void, undefined> {
    let next: Request | undefined = (request ?? {}) as Request;
    while (next) {
      const page = (await this.call(name, next, options)) as Page<ItemOf<Operations[Name]>>;
      yield* page.items;
      next = this.#pageAfter(name, next, page);
    }
  }

  /**
   * Puts a file straight into the store, where an operation for large files said.
   * @example const place = await credentials.presignDegreeBatch({ body }); await credentials.put(place, lines);
   */
  put(place: Place, file: Blob, options: CallOptions = {}): Promise<void> {
    return send(putOf(place, file), this.#options, {
      ...options,
      // As much as it takes, unless the call says otherwise.
      timeoutMs: options.timeoutMs ?? Number.POSITIVE_INFINITY,
    });
  }

  #pageAfter(name: string, request: Request, page: Page<unknown>): Request | undefined {
    const { pages } = this.#operations[name] ?? {};
    if (pages === 'cursor') return page.nextCursor ? { ...request, cursor: page.nextCursor } : undefined;
    if (pages !== 'page' || page.items.length === 0) return undefined;
    const { page: number = 1, pageSize = page.items.length, totalCount = page.total ?? 0 } = page;
    return number * pageSize < totalCount ? { ...request, page: number + 1 } : undefined;
  }

  async #prepare(name: string, request: Request, options: CallOptions): Promise<Prepared<unknown>> {
    const operation = this.#operations[name];
    if (!operation) throw new TypeError(`There is no operation ${name}.`);
    const { body, ...parameters } = request;
    const query = new URLSearchParams();
    const headers = new Headers({ accept: 'application/json, */*;q=0.5' });
    const inPath = new Set<string>();
    const path = operation.path.replace(/\{(\w+)\}/g, (_, parameter: string) => {
      inPath.add(parameter);
      const value = parameters[parameter];
      if (value === undefined || value === '') throw new TypeError(`${name} needs ${parameter}.`);
      return encodeURIComponent(String(value));
    });
    for (const [parameter, value] of Object.entries(parameters)) {
      if (inPath.has(parameter) || value === undefined || value === null) continue;
      if (operation.headers?.includes(parameter)) headers.set(parameter, String(value));
      else for (const each of [value].flat()) query.append(parameter, String(each));
    }
    const key = typeof this.#options.key === 'function' ? await this.#options.key() : this.#options.key;
    if (key !== undefined) headers.set('x-api-key', key);
    if (options.correlationId) headers.set('x-correlation-id', options.correlationId);
    if (operation.once) headers.set('idempotency-key', options.idempotencyKey ?? crypto.randomUUID());
    const sent = encode(body, operation.body);
    if (typeof sent === 'string' && !isRaw(body)) headers.set('content-type', 'application/json');
    if (isBytes(sent)) headers.set('content-type', 'application/octet-stream');
    const text = query.toString();
    const service = this.#options.url.replace(/\/+$/, '');
    return {
      name,
      receiver: this.#options.url,
      url: `${service}${path}${text && `?${text}`}`,
      method: operation.method,
      headers,
      body: sent,
      isRepeatable: operation.method !== 'POST' || operation.once === true,
      ...(operation.answer === 'file' && { storeOf }),
      ...(operation.answer === 'redirect' && { accepts: isRedirect }),
      read: (answer) => readAnswer(name, operation, answer),
    };
  }
}

const storeOf = (answer: Response): string | null =>
  answer.status === 302 ? answer.headers.get('location') : null;
// A browser does not say where to: it has status 0.
const isRedirect = ({ status, type }: Response): boolean =>
  type === 'opaqueredirect' || (status >= 300 && status < 400);

async function readAnswer(name: string, operation: Operation, answer: Response): Promise<unknown> {
  if (operation.answer === 'file' || operation.answer === 'redirect') return answer;
  const text = await answer.text();
  if (operation.answer !== 'json' || text === '') return undefined;
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new NoAnswer(`${name}: the answer is no JSON. Is ${answer.url} a service of Sinete?`, name, error);
  }
}

type Page<Item> = {
  readonly items: readonly Item[];
  readonly nextCursor?: string | null;
  readonly page?: number;
  readonly pageSize?: number;
  readonly totalCount?: number;
  readonly total?: number;
};

const isRaw = (body: unknown): body is RawBody =>
  typeof body === 'string' ||
  body instanceof Blob ||
  body instanceof FormData ||
  body instanceof URLSearchParams ||
  isBytes(body);

// Bytes that say nothing of their type; a Blob says it.
const isBytes = (body: unknown): boolean =>
  body instanceof ReadableStream || body instanceof ArrayBuffer || ArrayBuffer.isView(body);

function encode(body: unknown, kind: 'json' | 'form' | undefined): SentBody | undefined {
  if (body === undefined || kind === undefined) return undefined;
  if (isRaw(body)) return body as SentBody;
  return kind === 'json' ? JSON.stringify(body) : formOf(body as Request);
}

function formOf(fields: Request): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields))
    for (const each of [value].flat())
      if (each instanceof Blob) form.append(name, each, each instanceof File ? each.name : name);
      else if (each !== undefined && each !== null) form.append(name, String(each));
  return form;
}

/**
 * The class of a service's client, with a method for each operation by the operation's name.
 * @example class Hub extends clientOf<operations>(table) {}
 */
export function clientOf<Operations>(
  table: OperationTable,
): new (
  options: ClientOptions,
) => ServiceClient<Operations> {
  class WithMethods extends Client<Operations> {
    constructor(options: ClientOptions) {
      super(options, table);
    }
  }
  for (const name of Object.keys(table))
    Object.defineProperty(WithMethods.prototype, name, {
      value(this: WithMethods, request?: Request, options?: CallOptions) {
        return this.call(name, request, options);
      },
    });
  return WithMethods as unknown as new (
    options: ClientOptions,
  ) => ServiceClient<Operations>;
}
