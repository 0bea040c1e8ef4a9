/** An operation of a service, as its OpenAPI document has it. Tables of them are in ./operations. */
export type Operation = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Below the service's address, with its parameters: /api/documents/{id}. */
  readonly path: string;
  /** How the body is sent where it is an object. Left out: the operation has no body. */
  readonly body?: 'json' | 'form';
  /** JSON, a file, a status alone, or where a browser is to go on. */
  readonly answer: 'json' | 'file' | 'nothing' | 'redirect';
  /** The parameters that are sent as headers. */
  readonly headers?: readonly string[];
  /** Whether it takes an Idempotency-Key: sent again with the same one, it creates nothing twice. */
  readonly once?: true;
  /** How the rest of a list is asked for. */
  readonly pages?: 'cursor' | 'page';
};

export type OperationTable = Readonly<Record<string, Operation>>;

/** What a body may be in place of an object: sent as it is, with its own type. */
export type RawBody =
  | Blob
  | FormData
  | URLSearchParams
  | ReadableStream<Uint8Array>
  | ArrayBuffer
  | Uint8Array
  | string;

/** What openapi-typescript makes of an operation. */
type Described = {
  readonly parameters: { readonly path?: object; readonly query?: object; readonly header?: object };
  readonly requestBody?: { readonly content: object };
  readonly responses: object;
};

// The key of idempotency is an option of the call: every operation that takes one gets one.
type Parameters<Op extends Described> = Plain<Op['parameters']['path']> &
  Plain<Op['parameters']['query']> &
  Omit<Plain<Op['parameters']['header']>, 'Idempotency-Key'>;
type Plain<Part> = [NonNullable<Part>] extends [never] ? unknown : NonNullable<Part>;

type BodyIn<Content> = Content extends { 'application/json': infer Json }
  ? Json
  : Content extends { 'multipart/form-data': infer Form }
    ? Form
    : never;
type Body<Op extends Described> = [NonNullable<Op['requestBody']>] extends [never]
  ? unknown
  : Op extends { requestBody: { content: infer Content } }
    ? { readonly body: BodyIn<Content> | RawBody }
    : { readonly body?: BodyIn<NonNullable<Op['requestBody']>['content']> | RawBody };

/** What a call of an operation is given: its parameters by name, and its body. */
export type RequestOf<Op> = Op extends Described ? Parameters<Op> & Body<Op> : never;

type Success = 200 | 201 | 202 | 204 | 206;
type AnswerIn<Response> = Response extends { content: infer Content }
  ? Content extends { 'application/json': infer Json }
    ? Json
    : [Content] extends [never]
      ? undefined
      : globalThis.Response
  : undefined;

/** What an operation answers: its JSON, undefined, or for a file or a redirect the response itself. */
export type AnswerOf<Op> = Op extends { responses: infer Responses }
  ? [keyof Responses & Success] extends [never]
    ? globalThis.Response
    : { [Status in keyof Responses & Success]: AnswerIn<Responses[Status]> }[keyof Responses & Success]
  : never;

/** One of the items of a list. */
export type ItemOf<Op> = AnswerOf<Op> extends { items: readonly (infer Item)[] } ? Item : never;

/** The operations that answer a page of a list. */
export type ListIn<Operations> = {
  [Name in keyof Operations]: [ItemOf<Operations[Name]>] extends [never] ? never : Name;
}[keyof Operations] &
  string;

export type CallOptions = {
  /** Ends the call, a retry that waits, and the body of a file. */
  readonly signal?: AbortSignal | undefined;
  /** For the whole call with its retries. Of a file, until its body begins. */
  readonly timeoutMs?: number | undefined;
  /** Names the call in the service's log, and in the log of every service that it calls. */
  readonly correlationId?: string | undefined;
  /** For an operation that creates: one of your own in place of one for this call alone. */
  readonly idempotencyKey?: string | undefined;
};

/** The operations of a service as methods. */
export type Methods<Operations> = {
  readonly [Name in keyof Operations]: Record<never, never> extends RequestOf<Operations[Name]>
    ? (request?: RequestOf<Operations[Name]>, options?: CallOptions) => Promise<AnswerOf<Operations[Name]>>
    : (request: RequestOf<Operations[Name]>, options?: CallOptions) => Promise<AnswerOf<Operations[Name]>>;
};
