type Referred = { readonly $ref?: string };
type Responses = Readonly<Record<string, object>>;
type Document = { readonly components: { readonly responses?: Responses } };

/** The responses of an operation, with those that it shares with others in full. */
export function responsesOf<Response extends object>(
  { components }: Document,
  { responses }: { readonly responses: Readonly<Record<string, Response & Referred>> },
): Record<string, Response> {
  const entries = Object.entries(responses).map(([status, response]) => {
    const name = response.$ref?.replace('#/components/responses/', '');
    return [status, name === undefined ? response : components.responses?.[name]];
  });
  return Object.fromEntries(entries);
}
