/** The input of a command, as the client sends it. */
export type Request = Readonly<Record<string, unknown>>;

/** Refuses a parameter that a store does not implement. One that is passed over could change the meaning. */
export function refuseUnknown(
  request: Request,
  known: readonly string[],
  refuse: (message: string) => Error,
  isWithoutEffect?: (name: string, value: unknown) => boolean,
): void {
  for (const name in request)
    if (request[name] !== undefined && !known.includes(name) && !isWithoutEffect?.(name, request[name]))
      throw refuse(`The embedded store does not implement ${name}.`);
}
