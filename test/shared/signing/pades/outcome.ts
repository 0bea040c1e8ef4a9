const MAX_MS = 1000;

/** The outcome: `done`, the name of the error, or `too slow`. */
export async function outcomeOf(run: () => unknown): Promise<string> {
  const start = process.cpuUsage();
  let outcome = 'done';
  try {
    await run();
  } catch (error) {
    outcome = error instanceof Error ? error.name : String(error);
  }
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000 > MAX_MS ? 'too slow' : outcome;
}
