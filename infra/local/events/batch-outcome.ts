/**
 * Which messages of a batch a function's answer leaves in the queue, by AWS's rules: nothing
 * reported means all succeeded; a report that cannot be understood, or that names a message which
 * was not in the batch, means all failed.
 * @example failedIds({ batchItemFailures: [{ itemIdentifier: 'b' }] }, ['a', 'b']) // Set { 'b' }
 */
export function failedIds(answer: unknown, batchIds: readonly string[]): ReadonlySet<string> {
  const everything = new Set(batchIds);
  if (answer === null || answer === undefined) return new Set();
  if (typeof answer !== 'object') return everything;
  const reported = 'batchItemFailures' in answer ? answer.batchItemFailures : null;
  if (reported === null || reported === undefined) return new Set();
  if (!Array.isArray(reported)) return everything;
  const ids = reported.map(itemIdentifier);
  return ids.every((id) => id !== undefined && everything.has(id)) ? new Set(ids as string[]) : everything;
}

function itemIdentifier(item: unknown): string | undefined {
  if (typeof item !== 'object' || item === null || !('itemIdentifier' in item)) return undefined;
  return typeof item.itemIdentifier === 'string' ? item.itemIdentifier : undefined;
}
