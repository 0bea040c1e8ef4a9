/** Something the agent cannot do, in words for whoever started it. */
export class AgentRefusal extends Error {
  override readonly name = 'AgentRefusal';
}

/** What went wrong, in one line: the network's own errors hide it in their cause. */
export function reasonOf(error: unknown): string {
  const { cause } = error as { cause?: unknown };
  const deepest = cause instanceof Error ? cause : error;
  if (!(deepest instanceof Error)) return String(deepest);
  const { code } = deepest as NodeJS.ErrnoException;
  return deepest.message.split('\n')[0] || code || deepest.name;
}
