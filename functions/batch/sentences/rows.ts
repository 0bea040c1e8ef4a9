import { checkRows } from './rows/checks.ts';
import { jobRows } from './rows/jobs.ts';
import { operationRows } from './rows/operations.ts';
import { profileRows } from './rows/profiles.ts';

/** What histories, events, checks and profiles record, in every language of the pages. Values are in braces. */
export const rows = {
  'of-file': { en: '{file}: {text}', 'pt-BR': '{file}: {text}' },
  both: { en: '{first} {second}', 'pt-BR': '{first} {second}' },
  ...jobRows,
  ...operationRows,
  ...checkRows,
  ...profileRows,
} as const;
