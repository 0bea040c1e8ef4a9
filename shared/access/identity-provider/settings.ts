import { address, optional, secret, text } from '../../settings/kinds.ts';

/** The settings of a service whose people sign in by an OpenID provider; they are spread into its own table. */
export const identityProviderSettings = {
  'Idp:Authority': optional(
    address('', 'The OpenID provider by which people sign in. Without it, the other ways of the service.'),
  ),
  'Idp:ClientId': text('', 'The client that the provider knows this service by.'),
  'Idp:ClientSecret': secret('', 'The secret of that client.'),
  'Idp:AddressClaim': text(
    'email',
    'The claim of the ID token with the address of a person. email counts with email_verified alone; another, such as preferred_username, as it is: people must not be able to change it.',
  ),
};

export type IdentityProviderValues = {
  readonly 'Idp:Authority': string | undefined;
  readonly 'Idp:ClientId': string;
  readonly 'Idp:ClientSecret': string;
  readonly 'Idp:AddressClaim': string;
};

export const identityProviderRule = ({
  'Idp:Authority': authority,
  'Idp:ClientId': clientId,
  'Idp:ClientSecret': clientSecret,
}: IdentityProviderValues): string | undefined =>
  authority === undefined || (clientId !== '' && clientSecret !== '')
    ? undefined
    : 'Setting Idp:Authority names an identity provider: give its Idp:ClientId and Idp:ClientSecret too.';
