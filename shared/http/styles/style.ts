import type { Refusal } from '../../errors/errors.ts';

/** The parts of a request that an error style may render. */
export type RequestInfo = {
  readonly correlationId: string;
  readonly path: string;
  readonly production: boolean;
};

/** The wire format of a service's refusals. An undefined body is an empty one. */
export type ErrorStyle = {
  readonly render: (refusal: Refusal, request: RequestInfo) => unknown;
  /** The media type of the body; JSON by default. */
  readonly mediaTypeFor?: (status: number) => string;
  /** JSON Schemas of the bodies, by name, for the contract document. */
  readonly schemas: Readonly<Record<string, object>>;
  readonly schemaFor: (status: number) => string | undefined;
};

const text = { type: 'string' } as const;

/** The `{code, message, details}` body that several services share. */
export const codeMessageDetails = {
  type: 'object',
  description: 'Why a request was refused.',
  examples: [{ code: 'InvalidRequest', message: 'The request is malformed.', details: { field: 'name' } }],
  required: ['code', 'message'],
  properties: {
    code: { ...text, description: 'Stable: branch on it.' },
    message: { ...text, description: 'For logs, never for branching.' },
    details: { type: ['object', 'null'], additionalProperties: text },
  },
} as const;

/** Details as texts, which is how maps of details travel. */
export const detailTexts = (refusal: Refusal): Record<string, string> | null =>
  refusal.details
    ? Object.fromEntries(Object.entries(refusal.details).map(([name, value]) => [name, String(value)]))
    : null;

/** Every field with what is wrong with it, as validation problems list them. */
export const fieldErrors = (refusal: Refusal): Record<string, string[]> => {
  // Callers name fields as they like, `constructor` included: nothing may be there before them.
  const errors: Record<string, string[]> = Object.create(null);
  for (const { field, message } of refusal.fields) errors[field] = [...(errors[field] ?? []), message];
  return errors;
};
