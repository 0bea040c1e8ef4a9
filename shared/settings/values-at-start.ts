import { readNamedValues } from './named-values.ts';

// Whoever imports this module begins when the named values are there: a cold start checks the settings with them.
await readNamedValues();
