/** The interface that this service implements. */
const INTERFACE = '2.16.0';

// The build replaces it. Sources that run as they are, as tests do, have none.
declare const SINETE_BUILD: string | undefined;

/** The version of the service with its build: 2.16.0+0.1.0.3f9a2b1c. */
export const version = (): string =>
  `${INTERFACE}+${typeof SINETE_BUILD === 'undefined' ? 'source' : SINETE_BUILD}`;
