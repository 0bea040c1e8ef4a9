/**
 * Stands where the caller stands: npm runs its scripts in the package's folder, and so would look there for the files
 * that someone names from a folder of their own.
 */
export function standWhereCalled(script: string): void {
  const { npm_lifecycle_event: running, INIT_CWD: calledFrom } = process.env;
  if (running === script && calledFrom) process.chdir(calledFrom);
}
