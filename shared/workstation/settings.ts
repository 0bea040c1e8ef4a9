import { address, optional, secret } from '../settings/kinds.ts';

/** The settings of a service whose people sign with tokens; they are spread into its own table. */
export const workstationSettings = {
  'Workstations:BaseAddress': optional(
    address(
      '',
      'The session server by which tokens at workstations sign. Without it, this deployment’s own.',
    ),
  ),
  'Workstations:ApiKey': secret(
    '',
    'The API key for it, with the permission workstation-questions. Without it no token signs.',
  ),
  'Workstations:AgentUrl': optional(
    address('', 'Where people get the agent for their workstation: a page says so to whoever has none.'),
  ),
};

export type WorkstationValues = {
  readonly 'Workstations:BaseAddress': string | undefined;
  readonly 'Workstations:ApiKey': string;
  readonly 'Workstations:AgentUrl': string | undefined;
};
