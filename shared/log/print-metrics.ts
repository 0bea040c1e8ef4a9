/**
 * Prints lines of metrics as they are: CloudWatch takes a line for metrics only where nothing is around it, whatever
 * Log:Level says. Nothing in them needs redaction: their values come from declared sets.
 */
export function printMetrics(lines: readonly string[]): void {
  for (const line of lines) process.stdout.write(`${line}\n`);
}
