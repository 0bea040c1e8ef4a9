import type { Provider } from './provider.ts';

export type RequestBody = { readonly contentType: string; readonly text: string };

export const json = (value: unknown): RequestBody => ({
  contentType: 'application/json',
  text: JSON.stringify(value),
});

/** The body of a token request, in the encoding of this provider. */
export const tokenBodyOf = (
  { tokenBody }: Provider,
  parameters: Readonly<Record<string, string>>,
): RequestBody =>
  tokenBody === 'json'
    ? json(parameters)
    : {
        contentType: 'application/x-www-form-urlencoded',
        text: new URLSearchParams(parameters).toString(),
      };
