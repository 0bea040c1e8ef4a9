import { address, optional, secret } from '../settings/kinds.ts';

/** The settings of a service whose people sign with cloud certificates; they are spread into its own table. */
export const hubSettings = {
  'Hub:BaseAddress': optional(
    address('', 'The hub by which cloud certificates sign. Without it, this deployment’s own.'),
  ),
  'Hub:ApiKey': secret('', 'The API key for the hub. Without it no cloud certificate signs.'),
};

export type HubValues = {
  readonly 'Hub:BaseAddress': string | undefined;
  readonly 'Hub:ApiKey': string;
};
