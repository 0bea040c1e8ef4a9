/** Where a command prints: the terminal, or a test's list. */
export type Output = { readonly print: (text: string) => void; readonly printError: (text: string) => void };

export const CONSOLE: Output = {
  print: (text) => {
    outliveReaders();
    console.log(text);
  },
  printError: (text) => {
    outliveReaders();
    console.error(text);
  },
};

let isOutliving = false;

/** A reader may have enough before all is printed, `| head -3`. That ends no work, and is no error. */
function outliveReaders(): void {
  if (isOutliving) return;
  isOutliving = true;
  for (const stream of [process.stdout, process.stderr])
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error;
    });
}
