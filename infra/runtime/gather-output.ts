/** Nobody reads a log faster. */
const GATHER_MS = 10;

/**
 * Writes what is logged within some milliseconds at once: each write to a pipe is a system call that the thread waits for,
 * and every answer logs a line. What is left is written when the process ends, but not after kill -9.
 * @example gatherOutput(process.stdout);
 */
export function gatherOutput(stream: NodeJS.WriteStream): void {
  const { write } = stream;
  let isGathering = false;
  const release = (): void => {
    if (isGathering) stream.uncork();
    isGathering = false;
  };
  stream.write = (...args: unknown[]) => {
    if (!isGathering) {
      isGathering = true;
      stream.cork();
      setTimeout(release, GATHER_MS);
    }
    return Reflect.apply(write, stream, args);
  };
  process.on('exit', release);
}
