/** A field of the request that the service does not take, and why. */
export type FieldProblem = { readonly field: string; readonly message: string };

type Facts = {
  readonly operation: string;
  readonly sentence: string;
  readonly status: number;
  readonly code: string;
  readonly details: Readonly<Record<string, unknown>>;
  readonly fields: readonly FieldProblem[];
  readonly correlationId: string | undefined;
  readonly retryAfterMs: number | undefined;
};

/** The service answered, and it said no. Branch on `code`; the sentence is for people, the message for logs. */
export class Refused<Code extends string = string> extends Error {
  override readonly name = 'Refused';
  readonly operation: string;
  /** What the service says. The message has the operation before it, and the fields behind it. */
  readonly sentence: string;
  readonly status: number;
  readonly code: Code;
  readonly details: Readonly<Record<string, unknown>>;
  readonly fields: readonly FieldProblem[];
  /** Name it when you ask for help: the service's log has it on every line of the call. */
  readonly correlationId: string | undefined;
  readonly retryAfterMs: number | undefined;

  constructor(message: string, facts: Facts) {
    super(message);
    this.operation = facts.operation;
    this.sentence = facts.sentence;
    this.status = facts.status;
    this.code = facts.code as Code;
    this.details = facts.details;
    this.fields = facts.fields;
    this.correlationId = facts.correlationId;
    this.retryAfterMs = facts.retryAfterMs;
  }
}

/** No answer came: the network, or the time for the call was over. Whether the service did it is not known. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer';
  readonly operation: string;

  constructor(message: string, operation: string, cause?: unknown) {
    super(message, { cause });
    this.operation = operation;
  }
}

/** Reads a refusal, in whichever of the services' shapes it is. */
export async function refusalOf(
  { name: operation, receiver }: { readonly name: string; readonly receiver: string },
  answer: Response,
  retryAfterMs?: number,
): Promise<Refused> {
  const whole = await jsonOf(answer);
  // The session server puts everything into `error`.
  const body = { ...whole, ...objectOf(whole.error) };
  const details = objectOf(body.details);
  const text = textOf(body.details);
  const inText = fieldInText(text);
  const fields = fieldsOf(body.errors ?? inText ?? fieldIn(details));
  const sentence =
    textOf(body.message) ??
    textOf(body.detail) ??
    textOf(body.title) ??
    `${receiver} answered ${answer.status}.`;
  const sentences = [
    `${operation}: ${sentence}`,
    // Some services have them in the sentence too.
    ...fields
      .filter(({ field, message }) => !sentence.includes(`${field} ${message}`))
      .map(({ field, message }) => `${field}: ${message}`),
    ...(text && !inText ? [text] : []),
  ];
  return new Refused(sentences.join(' '), {
    operation,
    sentence,
    status: answer.status,
    code: textOf(body.code) ?? `Status${answer.status}`,
    details,
    fields,
    correlationId: answer.headers.get('x-correlation-id') ?? undefined,
    retryAfterMs,
  });
}

const objectOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;

// No refusal of a service is as long; something in between may answer anything.
const MAX_REFUSAL_BYTES = 1_048_576;

async function beginningOf(answer: Response): Promise<string> {
  const decoder = new TextDecoder();
  const reader = answer.body?.getReader();
  let text = '';
  for (let size = 0; reader && size <= MAX_REFUSAL_BYTES; ) {
    const { done, value } = await reader.read();
    if (done) return text;
    size += value.length;
    text += decoder.decode(value, { stream: true });
  }
  await reader?.cancel();
  return text;
}

async function jsonOf(answer: Response): Promise<Readonly<Record<string, unknown>>> {
  try {
    const value: unknown = JSON.parse(await beginningOf(answer));
    return typeof value === 'string' ? { code: value } : objectOf(value);
  } catch {
    return {};
  }
}

/** The one field that details name, as a list. */
const fieldIn = ({ field, reason }: Readonly<Record<string, unknown>>) =>
  typeof field === 'string' && typeof reason === 'string' ? [{ field, message: reason }] : [];

const FIELD_IN_TEXT = /^field: (?<field>.+?); reason: (?<message>.+)$/s;

/** The same of the session server, whose details are one text; undefined where it names none. */
function fieldInText(details: string | undefined): FieldProblem[] | undefined {
  const { field, message } = FIELD_IN_TEXT.exec(details ?? '')?.groups ?? {};
  return field && message ? [{ field, message }] : undefined;
}

/** Each field with what is wrong with it: by name, or as a list. */
function fieldsOf(errors: unknown): FieldProblem[] {
  if (Array.isArray(errors))
    return errors
      .map(objectOf)
      .map(({ field, message }) => ({ field: String(field), message: String(message) }));
  return Object.entries(objectOf(errors)).flatMap(([field, messages]) =>
    [messages].flat().map((message) => ({ field, message: String(message) })),
  );
}
