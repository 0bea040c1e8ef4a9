/**
 * Has this process ask its own copy of the environment from now on. Settings are read at each access, some twenty a request,
 * and Node's own asks the system each time.
 */
export const keepEnvironment = (): void => {
  process.env = { ...process.env };
};
