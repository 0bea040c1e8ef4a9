import type { Refusal } from '../../errors/errors.ts';

/** What a style may know of the request it answers. */
export type Told = { readonly correlationId: string; readonly path: string; readonly production: boolean };

/** How a service words its refusals on the wire. A body of undefined is an empty one. */
export type ErrorStyle = {
  readonly render: (refusal: Refusal, told: Told) => unknown;
  /** What the body is called; JSON where a style does not say. */
  readonly mediaTypeFor?: (status: number) => string;
  /** JSON Schemas by status class, for the contract; a style names its own. */
  readonly schemas: Readonly<Record<string, object>>;
  readonly schemaFor: (status: number) => string | undefined;
};

const text = { type: 'string' } as const;

/** The `{code, message, details}` body that several services share. */
export const codeMessageDetails = {
  type: 'object',
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
