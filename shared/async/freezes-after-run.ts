/**
 * Whether the host freezes the process after each run, as Lambda does: what is not done by then may never be. The local
 * engine and the host go on.
 */
export const freezesAfterRun = (): boolean => process.env.AWS_LAMBDA_RUNTIME_API !== undefined;
