import { randomUUID } from 'node:crypto';
import { type Application, applications, newKey } from '../../../shared/access/applications.ts';
import { errorTable } from '../../../shared/errors/errors.ts';
import { apiKey } from '../../../shared/http/authentication/api-key.ts';
import type { ServiceOptions } from '../../../shared/http/endpoint.ts';
import { service } from '../../../shared/http/service.ts';
import { codeMessageDetailsStyle } from '../../../shared/http/styles/code-message-details.ts';
import type { ServiceName } from '../../../shared/settings/names.ts';
import { defineSettings } from '../../../shared/settings/settings.ts';

/** A small vocabulary: one code a situation, and two that a domain would use. */
export const errors = errorTable({
  Invalid: [[400, 408, 415], 'The request is malformed.'],
  Unauthorized: [401, 'The key is not accepted.'],
  Forbidden: [403, 'The key may not do this.'],
  NoSuchRoute: [404, 'Nothing answers here.'],
  TooLarge: [413, 'The body exceeds the limit.'],
  TooMany: [429, 'Too many requests.'],
  Busy: [429, 'As many calls run as are accepted.'],
  Unavailable: [503, 'The store does not answer.'],
  Unexpected: [500, 'The request could not be completed.'],
  Refused: [422, 'The domain says no.'],
  Undeclared: [409, 'No endpoint declares this one.'],
});

type Code = keyof typeof errors.rows & string;

/** A service like any other, over the sandbox's table. */
export const sample = <Policy extends string = never>(
  differently: Partial<ServiceOptions<Code, Policy>> = {},
) =>
  service<Code, Policy>({
    name: 'sandbox',
    title: 'Sample',
    description: 'A service of the tests.',
    settings: defineSettings('sandbox', {}),
    authenticate: apiKey('sandbox'),
    errors,
    style: codeMessageDetailsStyle,
    situations: {
      invalid: 'Invalid',
      unauthorized: 'Unauthorized',
      forbidden: 'Forbidden',
      tooLarge: 'TooLarge',
      unsupportedMedia: 'Invalid',
      tooSlow: 'Invalid',
      noRoute: 'NoSuchRoute',
      rateLimited: 'TooMany',
      busy: 'Busy',
      unavailable: 'Unavailable',
      unexpected: 'Unexpected',
    },
    ...differently,
  });

/** An application with one key, as an operator would have made it; the key's text to send. */
export async function givenKey(
  of: ServiceName,
  differently: Partial<Application> = {},
): Promise<{ text: string; application: Application }> {
  const name = `app-${randomUUID()}`;
  const { text, key } = newKey(name);
  const application = {
    name,
    disabled: false,
    permissions: ['*'],
    registered: {},
    keys: [key],
    ...differently,
  };
  await applications(of).put(application);
  return { text, application };
}

/** An address that no other test calls from. */
export const someAddress = (): string => `test-${randomUUID()}`;
