import { address, optional, secret, text } from '../settings/kinds.ts';

/** The settings of a service whose members log in with certificates; they are spread into its own table. */
export const pkiCoreSettings = {
  'PkiCore:BaseAddress': optional(
    address('', 'The PKI core by which members log in with certificates. Without it, this deployment’s own.'),
  ),
  'PkiCore:ApiKey': secret(
    '',
    'The API key for it, with the permission authentication. Without it nobody logs in with a certificate.',
  ),
  'PkiCore:SecurityContextId': optional(
    text('', 'By whose roots it judges certificates. Without it, ICP-Brasil.'),
  ),
};

export type PkiCoreValues = {
  readonly 'PkiCore:BaseAddress': string | undefined;
  readonly 'PkiCore:ApiKey': string;
  readonly 'PkiCore:SecurityContextId': string | undefined;
};
