/** The ledger with the counts of jobs, events and metrics: a commit that changes all of them counts in one record. */
export const LEDGER = 'jobs';
